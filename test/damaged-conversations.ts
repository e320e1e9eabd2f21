/**
 * Real conversations, damaged at random: for each run one of them, a provider that serves its dialect, one of its
 * models, and one or two faults.
 */
import { providers } from '../src/index.ts'
import { dialectOf, type Row, rowsOf } from './corpus.ts'
import { models } from './model-names.ts'

export type Message = Record<string, unknown>

export interface Damaged {
  readonly row: Row
  readonly messages: Message[]
  readonly provider: string
  readonly model: string | undefined
}

/** Names of the recordings that are damaged. */
export const damagedNames = ['openai-chat', 'anthropic', 'openai-responses', 'gemini', 'bedrock-converse'] as const

/** So many damaged histories of one recording, the same for the same seed. */
export function* damagedRows(name: string, runs: number, seed: number): Generator<Damaged> {
  const pick = chance(seed)
  const rows = rowsOf(`recorded-${name}`).filter((row) => JSON.stringify(row.messages).length < 30_000)
  if (rows.length === 0) return
  for (let run = 0; run < runs; run++) {
    const row = rows[pick(rows.length)]!
    const serving = providers.filter((one) => one.serves.some((service) => service.dialect.id === dialectOf(row)))
    const provider = serving[pick(serving.length)]!.id
    const known = models[provider] ?? [undefined]
    const messages = structuredClone(row.messages) as Message[]
    for (let times = 1 + pick(2); times > 0 && messages.length > 0; times--) damage(messages, dialectOf(row), pick)
    if (messages.length === 0) continue
    yield { row, messages, provider, model: known[pick(known.length)] }
  }
}

/** Numbers from 0 up to n, the same for the same seed. */
function chance(from: number): (n: number) => number {
  let state = from
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
}

const between: Readonly<Record<string, Message>> = {
  gemini: { role: 'user', parts: [{ text: 'between' }] },
  'bedrock-converse': { role: 'user', content: [{ text: 'between' }] },
}

/**
 * One thing that goes wrong with histories: cut, lost, doubled, moved, emptied, a key that is gone or holds nothing.
 */
function damage(history: Message[], dialect: string, pick: (n: number) => number): void {
  const at = pick(history.length)
  const message = history[at]!
  const key = dialect === 'gemini' ? 'parts' : 'content'
  const blocks = Array.isArray(message[key]) ? (message[key] as Message[]) : []
  const ways: readonly (() => unknown)[] = [
    () => history.splice(at, 1),
    () => history.splice(at, 0, structuredClone(message)),
    () => history.splice(pick(history.length), 0, ...history.splice(at, 1)),
    () => history.splice(0, at),
    () => history.splice(at + 1),
    () => history.splice(at + 1, 0, between[dialect] ?? { role: 'user', content: 'between' }),
    () => blocks.splice(pick(blocks.length), 1),
    () => blocks.splice(0, 0, ...structuredClone(blocks.slice(-1))),
    () => blocks.reverse(),
    () => empty(message, Object.keys(message), pick),
    () => blocks.length > 0 && empty(blocks[0]!, Object.keys(blocks[0]!), pick),
    () => Object.assign(message, { [key]: [null, '', []][pick(3)] }),
    () => Object.assign(message, { role: ['user', 'assistant', 'system', 'tool', 'model'][pick(5)] }),
  ]
  ways[pick(ways.length)]!()
}

function empty(holder: Message, keys: readonly string[], pick: (n: number) => number): void {
  const key = keys[pick(keys.length)]
  if (key === undefined) return
  if (pick(3) === 0) delete holder[key]
  else holder[key] = [null, ''][pick(2)]
}
