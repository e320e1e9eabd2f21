/**
 * A history as plain text for a summariser: nothing in it can break a pairing rule, and nothing in it looks like the notation of a call
 * that a model could imitate afterwards. What is shown is marked as data.
 */
import type { Dialect, Part } from '../core/index.ts'
import { checkOptions, checkValue, isDialect, type OptionTable } from '../core/options.ts'
import type { Estimate } from './estimate.ts'
import { rowsOf } from './rows.ts'
import { cutText, fit } from './shrink-text.ts'

export interface RenderOptions {
  readonly dialect: Dialect
  readonly estimate: Estimate
  /** Tokens of one tool result that are shown. */
  readonly result: number
}

const RENDER: OptionTable<RenderOptions> = { dialect: isDialect, estimate: 'function', result: 'number' }

export function render(head: readonly unknown[], options: RenderOptions): string {
  checkValue('The head', head, 'list')
  checkValue('The options of render', options, 'object', 'Pass { dialect, estimate, result }.')
  checkOptions('render', options, RENDER)
  checkValue('Option "dialect" of render', options.dialect, isDialect)
  checkValue('Option "estimate" of render', options.estimate, 'function')
  const rows = rowsOf(head, options.dialect)
  const said: string[] = []
  for (const { role, parts } of rows.rows) {
    for (const part of parts) {
      const text = sentence(role, part, rows.callOf(part), options)
      if (text !== undefined) said.push(text)
    }
  }
  return said.join('\n\n')
}

function sentence(role: string, part: Part, call: Part | undefined, options: RenderOptions): string | undefined {
  const { kind, body, name } = part
  if (kind === 'text') return `${who(role)} said: ${asText(body)}`
  if (kind === 'call') return `The assistant had the tool "${name ?? 'unnamed'}" run. It was given: ${asText(body)}`
  if (kind === 'result') {
    const { text, media } = options.dialect.content(part)
    const shown = fit(text, options.result, options.estimate, (room) => cutText(text, room, ''))
    const pictures = media.length > 0 ? ` (and ${media.length} pictures or files)` : ''
    return `The tool "${call?.name ?? part.name ?? 'unnamed'}" ${part.failed ? 'failed' : 'gave back'}: ${shown}${pictures}`
  }
  if (kind === 'media') return `${who(role)} showed a picture or a file (${part.type}).`
  return undefined
}

function who(role: string): string {
  return role === 'assistant' ? 'The assistant' : role === 'system' ? 'The instructions' : 'The user'
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return '(cannot be shown)'
  }
}
