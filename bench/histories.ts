/**
 * Histories to measure on: real conversations of the corpus where there is one, made-up ones else, strung together up to a size.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Dialect, type Part, valueAt } from '../src/core/index.ts'
import { dialects } from '../src/dialects/index.ts'
import { lint } from '../src/index.ts'

export const corpus = process.env['SUTURE_CORPUS'] ?? join(process.cwd(), '../shared/corpus')

export interface Subject {
  readonly provider: string
  readonly dialect: string
  readonly model: string
  readonly files: readonly string[]
}

export const subjects: readonly Subject[] = [
  {
    provider: 'openai',
    dialect: 'openai-chat',
    model: 'gpt-4.1',
    files: ['tau-openai-chat.jsonl.gz', 'recorded-openai-chat.jsonl.gz'],
  },
  {
    provider: 'openai-responses',
    dialect: 'openai-responses',
    model: 'gpt-5.4',
    files: ['recorded-openai-responses.jsonl.gz'],
  },
  {
    provider: 'anthropic',
    dialect: 'anthropic-messages',
    model: 'claude-sonnet-4-5',
    files: ['claude-code-anthropic.jsonl.gz', 'recorded-anthropic.jsonl.gz'],
  },
  { provider: 'gemini', dialect: 'gemini', model: 'gemini-2.5-flash', files: ['recorded-gemini.jsonl.gz'] },
  {
    provider: 'bedrock',
    dialect: 'bedrock-converse',
    model: 'anthropic.claude-3-5-sonnet-20240620-v1:0',
    files: ['recorded-bedrock-converse.jsonl.gz'],
  },
]

/** One long sound history of about so many bytes of JSON. */
export function longHistory({ provider, model, dialect: id, files }: Subject, bytes: number): unknown[] {
  const dialect = dialects.find((one) => one.id === id)!
  const options = { provider, model, dialect: id }
  const sound = conversations(files, dialect)
    .map((one) => closed(one, dialect))
    .filter((one) => {
      // Twice over: what is sound alone may not be sound before another.
      const twice = [0, 1].flatMap((copy) => JSON.parse(renumbered(one, dialect, copy)) as unknown[])
      return lint(twice, options).length === 0
    })
  if (sound.length === 0) throw new Error(`No sound conversation for ${provider}.`)
  let history = strung(sound, dialect, bytes)
  // Some take only so many images: a longer history is strung together without them.
  if (lint(history, options).some(({ rule }) => rule === 'image-too-many'))
    history = strung(
      sound.filter((one) => one.every((message, i) => partsOf(message, i, dialect).every(isNoMedia))),
      dialect,
      bytes,
    )
  const found = lint(history, options)
  if (found.length > 0) throw new Error(`Not sound for ${provider}: ${found[0]!.rule}.`)
  return history
}

function strung(conversations: readonly unknown[][], dialect: Dialect, bytes: number): unknown[] {
  const history: unknown[] = []
  let size = 0
  for (let i = 0; size < bytes; i++) {
    const text = renumbered(conversations[i % conversations.length]!, dialect, i)
    size += text.length
    for (const message of JSON.parse(text)) history.push(message)
  }
  return history
}

/** Results may hold images of their own. */
function isNoMedia({ kind, value }: Part): boolean {
  return kind !== 'media' && !(kind === 'result' && /"type":"image"/.test(JSON.stringify(value) ?? ''))
}

/** Takes the result out of every tenth round. */
export function broken(history: readonly unknown[], id: string): unknown[] {
  const dialect = dialects.find((one) => one.id === id)!
  let seen = 0
  return history.filter((message, i) => {
    const parts = partsOf(message, i, dialect)
    return !(parts.length > 0 && parts.every(({ kind }) => kind === 'result') && ++seen % 10 === 0)
  })
}

function conversations(files: readonly string[], dialect: Dialect): unknown[][] {
  if (!existsSync(corpus)) return [madeUp(dialect)]
  return files.flatMap((file) => {
    const raw = readFileSync(join(corpus, file))
    const text = (file.endsWith('.gz') ? gunzipSync(raw) : raw).toString()
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).messages as unknown[])
  })
}

/** So that the next conversation begins with a prompt behind an answer. */
function closed(messages: unknown[], dialect: Dialect): unknown[] {
  const last = messages.length - 1
  return dialect.read(messages[last], last, []) === 'assistant'
    ? messages
    : [...messages, dialect.say('assistant', 'Done.')]
}

/** So many messages, the same again and again with ids of their own; they share their texts, so that a million fit into memory. */
export function repeated(history: readonly unknown[], id: string, count: number): unknown[] {
  const dialect = dialects.find((one) => one.id === id)!
  const ids = idsOf(history, dialect)
  const copied = (value: unknown, copy: string): unknown => {
    if (typeof value === 'string') return ids.has(value) ? value + copy : value
    if (Array.isArray(value)) return value.map((one) => copied(one, copy))
    if (typeof value !== 'object' || value === null) return value
    const own: Record<string, unknown> = { ...value }
    for (const key of Object.keys(own)) own[key] = copied(own[key], copy)
    return own
  }
  return Array.from({ length: count }, (_, i) =>
    copied(history[i % history.length], `y${Math.floor(i / history.length).toString(36)}`),
  )
}

/** Ids and names of their own for each copy, and no cache marks: a conversation that is repeated must not look like reused ids. */
function renumbered(messages: unknown[], dialect: Dialect, copy: number): string {
  let text = JSON.stringify(messages).replace(/,"cache_control":\{[^}]*\}/g, '')
  for (const id of idsOf(messages, dialect))
    text = text.replaceAll(JSON.stringify(id), JSON.stringify(`${shortened(id)}x${copy.toString(36)}`))
  return text
}

/** What must not come twice: ids of calls and items, names of documents. */
function idsOf(messages: readonly unknown[], dialect: Dialect): ReadonlySet<string> {
  const ids = new Set<string>()
  for (let i = 0; i < messages.length; i++) {
    for (const { id, value } of partsOf(messages[i], i, dialect)) {
      if (id) ids.add(id)
      const named = valueAt(value, ['document', 'name'])
      if (typeof named === 'string') ids.add(named)
    }
    const own = valueAt(messages[i], ['id'])
    if (typeof own === 'string') ids.add(own)
  }
  return ids
}

/** The ends of an id, by which it is told from others: its head names its sort, ids of one reply have one middle. */
function shortened(id: string): string {
  return id.length > 28 ? id.slice(0, 5) + id.slice(-23) : id
}

function partsOf(message: unknown, index: number, dialect: Dialect): Part[] {
  const parts: Part[] = []
  dialect.read(message, index, parts)
  return parts
}

function madeUp(dialect: Dialect): unknown[] {
  const history: unknown[] = []
  for (let i = 0; i < 20; i++) {
    history.push(dialect.say('user', `Look up item ${i}: ${'the words of a question '.repeat(12)}`))
    history.push(dialect.say('assistant', `Item ${i} is there. ${'The words of an answer. '.repeat(12)}`))
  }
  return history
}
