/**
 * Real conversations, damaged by chance, for every provider that speaks their dialect: lint and the contract say the same of them,
 * and what is mended is sound to both, rests and can be undone.
 */
import { describe, expect, it } from 'vitest'
import { judge } from '../contract/index.ts'
import { apply, invert, lint, providers, repair } from '../src/index.ts'
import { endpoints } from './agreement.ts'
import { bodyOf, dialectOf, hasCorpus, type Row, rowsOf } from './corpus.ts'
import { models } from './models.ts'

const skipped = hasCorpus ? '' : ' (SKIPPED: no corpus; set SUTURE_CORPUS to its folder)'
const runs = Number(process.env['SUTURE_RUNS'] ?? 300)
const seed = Number(process.env['SUTURE_SEED'] ?? 51)

type Message = Record<string, unknown>

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

/** One thing that goes wrong with histories: cut, lost, doubled, moved, emptied, a key that is gone or holds nothing. */
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

function wrongWith(row: Row, messages: Message[], provider: string, model: string | undefined): string | undefined {
  const dialect = dialectOf(row)
  const { model: _, ...rest } = bodyOf({ ...row, messages })
  const body = dialect === 'bedrock-converse' ? { ...rest, toolConfig: { tools: [] } } : rest
  const named = model ? { model } : {}
  const options = { provider, dialect, ...named }
  const verdict = (one: unknown) => judge({ provider, endpoint: endpoints[dialect]!, body: one, ...named })
  const errors = (one: unknown) => lint(one, options).filter(({ severity }) => severity === 'error')
  const found = errors(body)
  const before = verdict(body)
  if (found.length > 0 === before.accepted) return `lint finds ${found.map(({ rule }) => rule)}, ${said(before)}`
  const { value: history, patch } = repair(body, options)
  const left = errors(history)
  if (left.some(({ fix }) => fix)) return `left: ${left.map(({ rule }) => rule)}`
  const after = verdict(history)
  if (left.length === 0 && !after.accepted) return `mended, and ${said(after)}`
  if (repair(history, options).value !== history) return 'does not rest'
  expect(apply(history, invert(JSON.parse(JSON.stringify(patch))))).toEqual(body)
  return undefined
}

function said(verdict: ReturnType<typeof judge>): string {
  return verdict.accepted ? 'the contract takes it' : `the contract refuses it: ${verdict.message}`
}

const names = ['openai-chat', 'anthropic', 'openai-responses', 'gemini', 'bedrock-converse']

describe.skipIf(!hasCorpus)(`damaged by chance, seed ${seed}${skipped}`, () => {
  it.each(names)('recorded-%s', (name) => {
    const pick = chance(seed)
    const rows = rowsOf(`recorded-${name}`).filter((row) => JSON.stringify(row.messages).length < 30_000)
    for (let run = 0; run < runs; run++) {
      const row = rows[pick(rows.length)]!
      const serving = providers.filter((one) => one.serves.some((service) => service.dialect.id === dialectOf(row)))
      const provider = serving[pick(serving.length)]!.id
      const known = models[provider] ?? [undefined]
      const messages = structuredClone(row.messages) as Message[]
      for (let times = 1 + pick(2); times > 0 && messages.length > 0; times--) damage(messages, dialectOf(row), pick)
      if (messages.length === 0) continue
      const model = known[pick(known.length)]
      const wrong = wrongWith(row, messages, provider, model)
      expect(wrong && `${row.id} ${provider} ${model}: ${wrong}\n${JSON.stringify(messages)}`).toBeUndefined()
    }
  })
})
