/**
 * The viewer as the gateway is given it: the files of the page, and counts of a session for its list.
 */
import { isObject, turns } from '../core/index.ts'
import { dialects } from '../dialects/index.ts'
import { type LintOptions, lint } from '../index.ts'
import { windowOf } from '../strategies/context-windows.ts'
import { estimateTokens } from '../strategies/estimate.ts'
import { counterFor } from '../strategies/token-counts.ts'
import { named } from '../target.ts'
import { type PageFile, pageFiles } from './files.ts'

interface About {
  readonly provider: string
  readonly dialect: string
  readonly model?: string
}

export interface GatewayViewer {
  file(path: string): PageFile | undefined
  summarize(history: readonly unknown[], about: About): Readonly<Record<string, unknown>>
}

/** Undefined if the page has not been built. */
export function gatewayViewer(): GatewayViewer | undefined {
  const files = pageFiles('gateway')
  return files && { file: (path) => files.get(path), summarize }
}

function summarize(
  history: readonly unknown[],
  { provider, dialect: id, model }: About,
): Readonly<Record<string, unknown>> {
  const dialect = dialects.find((one) => one.id === id)!
  const found = lint(
    history,
    named<LintOptions>({ provider, dialect: id, inProgress: true, ...(model ? { model } : {}) }),
  )
  const errors = found.filter(({ severity }) => severity === 'error').length
  const prompt = history.find((message) => isObject(message))
  return {
    turns: prompt === undefined ? 0 : turns(history, dialect).length,
    tokens: counterFor(dialect, estimateTokens).sum(history),
    window: windowOf(model),
    errors,
    warnings: found.length - errors,
  }
}
