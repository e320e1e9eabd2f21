import { type Dialect, orUndefined, type Part, Transcript } from '../core/index.ts'
import { checkOptions, checkValue, isDialect, type OptionTable } from '../core/options.ts'
import type { Estimate } from './estimate.ts'
import { cutText, fit } from './shrink-text.ts'

export interface RenderOptions {
  readonly dialect: Dialect
  readonly estimate: Estimate
  /** Maximum tokens of one tool result. */
  readonly maxResultTokens: number
}

const RENDER: OptionTable<RenderOptions> = { dialect: isDialect, estimate: 'function', maxResultTokens: 'number' }

/**
 * Renders a history as plain text for a summarizer: no call or result that must be paired, and no call notation that a
 * model could imitate.
 */
export function render(head: readonly unknown[], options: RenderOptions): string {
  checkValue('The head', head, 'list')
  checkValue('The options of render', options, 'object', 'Pass { dialect, estimate, maxResultTokens }.')
  checkOptions('render', options, RENDER)
  checkValue('Option "dialect" of render', options.dialect, isDialect)
  checkValue('Option "estimate" of render', options.estimate, 'function')
  const transcript = new Transcript(head, options.dialect)
  const texts: string[] = []
  for (const part of transcript.parts) {
    const text = sentence(transcript.role(part.message), part, transcript.callOf(part), options)
    if (text !== undefined) texts.push(text)
  }
  return texts.join('\n\n')
}

function sentence(role: string, part: Part, call: Part | undefined, options: RenderOptions): string | undefined {
  const { kind, body, name } = part
  if (kind === 'text') return `${who(role)} said: ${asText(body)}`
  if (kind === 'call') return `The assistant had the tool "${name ?? 'unnamed'}" run. It was given: ${asText(body)}`
  if (kind === 'result') {
    const { text, media } = options.dialect.content(part)
    const shown = fit(text, options.maxResultTokens, options.estimate, (room) => cutText(text, room, ''))
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
  return orUndefined(() => JSON.stringify(value) ?? '') ?? '(cannot be shown)'
}
