/** The viewer for the gateway: the files of the page, and counts of a session for its list. */
import { isObject, turns } from '../core/index.ts'
import type { Viewer } from '../gateway/index.ts'
import { type LintOptions, lint } from '../index.ts'
import { windowOf } from '../strategies/context-windows.ts'
import { estimateTokens } from '../strategies/estimate.ts'
import { counterFor } from '../strategies/token-counts.ts'
import { named } from '../target.ts'
import type { Demo } from './demo-data.ts'
import { pageData, pageFiles } from './files.ts'
import { dialectNamed } from './worker/document.ts'

/** Undefined if the page has not been built. `demo`: what the page of the demonstration shows. */
export function gatewayViewer(demo?: Demo): Viewer | undefined {
  const files = pageFiles(demo ? 'demo' : 'gateway')
  const file = (path: string) => (demo && path === 'demo.json' ? pageData(demo) : files?.get(path))
  return files && { file, summarize }
}

const summarize: Viewer['summarize'] = (history, { provider, dialect: id, model }) => {
  const dialect = dialectNamed(id)
  const found = lint(history, named<LintOptions>({ provider, dialect: id, inProgress: true, model }))
  const errors = found.filter(({ severity }) => severity === 'error').length
  return {
    turns: history.some(isObject) ? turns(history, dialect).length : 0,
    tokens: counterFor(dialect, estimateTokens).sum(history),
    window: windowOf(model),
    errors,
    warnings: found.length - errors,
  }
}
