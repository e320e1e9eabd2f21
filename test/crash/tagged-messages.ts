/**
 * Messages in two dialects that name their operation and their index in it: `[op 1/3]`.
 */
import { below, type Random } from './matrix-row.ts'

export interface MessageBuilder {
  readonly dialect: string
  readonly provider: string
  user(tag: string): unknown
  assistant(tag: string): unknown
  calls(ids: readonly string[], tag: string): unknown
  results(ids: readonly string[], tags: (index: number) => string): readonly unknown[]
}

const chat: MessageBuilder = {
  dialect: 'openai-chat',
  provider: 'openai',
  user: (content) => ({ role: 'user', content }),
  assistant: (content) => ({ role: 'assistant', content }),
  calls: (ids, content) => ({
    role: 'assistant',
    content,
    tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'look', arguments: '{"at":1}' } })),
  }),
  results: (ids, tags) => ids.map((id, i) => ({ role: 'tool', tool_call_id: id, content: tags(i) })),
}

const messages: MessageBuilder = {
  dialect: 'anthropic-messages',
  provider: 'anthropic',
  user: (text) => ({ role: 'user', content: [{ type: 'text', text }] }),
  assistant: (text) => ({ role: 'assistant', content: [{ type: 'text', text }] }),
  calls: (ids, text) => ({
    role: 'assistant',
    content: [{ type: 'text', text }, ...ids.map((id) => ({ type: 'tool_use', id, name: 'look', input: { at: 1 } }))],
  }),
  results: (ids, tags) => [
    {
      role: 'user',
      content: ids.map((id, i) => ({ type: 'tool_result', tool_use_id: id, content: i === 0 ? tags(0) : 'seen' })),
    },
  ],
}

export const builders: Readonly<Record<string, MessageBuilder>> = {
  'openai-chat': chat,
  'anthropic-messages': messages,
}

/** How many messages the results of this many calls are. */
export function resultCount(builder: MessageBuilder, calls: number): number {
  return builder === chat ? calls : 1
}

/** A tag with text after it of up to a page, so that records cross pages of the file. */
export function tagged(op: string, part: number, of: number, random: Random): string {
  return `[${op} ${part}/${of}] ${'lorem ipsum '.repeat(below(random, 300))}.`
}

/** Operations of which something is missing, by the tags in the texts of their records. */
export function partial(records: readonly { readonly op: string; readonly body: string }[]): string[] {
  const seen = new Map<string, { of: number; parts: Set<number> }>()
  for (const { body } of records) {
    const found = /\[([\w.-]+) (\d+)\/(\d+)\]/.exec(body)
    if (!found) continue
    const [, op, part, of] = found
    const one = seen.get(op!) ?? { of: Number(of), parts: new Set() }
    one.parts.add(Number(part))
    seen.set(op!, one)
  }
  return [...seen].filter(([, { of, parts }]) => parts.size !== of).map(([op]) => op)
}
