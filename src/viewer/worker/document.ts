/**
 * What is open: a session file, a plain history or a session of the gateway, as conversations with what is stored and what is sent.
 * A document is a value; applying a repair makes another one, so undo is going back.
 */
import { type Dialect, isObject, jsonText, type Patch, parseJson } from '../../core/index.ts'
import { detect } from '../../dialects/detect.ts'
import { dialects } from '../../dialects/index.ts'
import { providers } from '../../providers/index.ts'
import type { SessionFile } from '../../session-files/types.ts'
import { align } from './align.ts'
import { defined } from './cells.ts'
import type { FileSupport } from './file-support.ts'
import { isPlainHistory } from './plain-history.ts'
import type { Usage } from './protocol.ts'

/** A message or record as it is stored. */
export interface Stored {
  readonly message: unknown
  /** First and last line of the file. */
  readonly lines?: readonly [number, number]
  /** Why no request contains it. */
  readonly because?: string
  readonly type?: string
  readonly recorded?: Usage
  /** What the record marks, if it is a boundary: `compaction`. */
  readonly compaction?: string
}

export interface Talk {
  readonly id: string
  readonly title?: string | undefined
  readonly dialect: Dialect
  readonly provider: string
  readonly model?: string | undefined
  readonly stored: readonly Stored[]
  /** What the next request will contain. */
  readonly next: readonly unknown[]
  /** For each message of `next` the index in `stored`; -1: the agent adds it. */
  readonly origins: Int32Array
  /** The request body around the history, without it. */
  readonly body?: Readonly<Record<string, unknown>> | undefined
  readonly reach?: { readonly included: number; readonly total: number }
}

export interface Document {
  readonly name: string
  readonly bytes: number
  readonly talks: readonly Talk[]
  readonly file?: SessionFile
  /** What can be done with a session file. Its code is loaded when one is opened. */
  readonly support?: FileSupport
  readonly formatTitle?: string
  /** Turns what is open back into a file. Absent for a session of the gateway. */
  readonly write?: (histories: ReadonlyMap<string, readonly unknown[]>) => Uint8Array
  /** Edits that were applied since it was opened. */
  readonly applied: Patch
}

export function dialectNamed(id: string | undefined): Dialect {
  return dialects.find((one) => one.id === id) ?? dialects.find((one) => one.id === 'openai-chat')!
}

/** The provider that made a dialect. */
export function makerOf(dialect: Dialect): string {
  return providers.find(({ serves }) => serves.some((one) => one.dialect.id === dialect.id))?.id ?? 'openai'
}

const KEYS = ['messages', 'input', 'contents', 'history'] as const

/** A request body or a list, as JSON or with one message per line. Throws an error that names what was expected. */
export function openHistory(name: string, bytes: Uint8Array): Document {
  const text = new TextDecoder().decode(bytes)
  const { values, lines } = valuesIn(text)
  const base = { name, bytes: bytes.length, applied: [] }
  if (values.length === 1 && !lines) return { ...base, ...single(values[0]) }
  if (values.every((value) => listIn(value) !== undefined)) return { ...base, ...dataSet(values) }
  const talk = talkOf('main', values, undefined)
  const write = (histories: ReadonlyMap<string, readonly unknown[]>) =>
    encoded(
      histories
        .get('main')!
        .map((one) => jsonText(one))
        .join('\n') + '\n',
    )
  return { ...base, talks: [withLines(talk)], write }
}

/** A file that is certainly no session file of an agent; undefined if it may be one. */
export function openPlainHistory(name: string, bytes: Uint8Array): Document | undefined {
  const value = valueIn(new TextDecoder().decode(bytes))
  return isPlainHistory(name, value) ? { name, bytes: bytes.length, applied: [], ...single(value) } : undefined
}

function valueIn(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function valuesIn(text: string): { values: readonly unknown[]; lines: boolean } {
  try {
    return { values: [parseJson(text)], lines: false }
  } catch {
    const values = text.split('\n').flatMap((line, i) => (line.trim() === '' ? [] : [valueOfLine(line, i + 1)]))
    if (values.length > 0) return { values, lines: true }
    throw new Error('The file is empty. Open a session file, a JSON history or a request body.')
  }
}

function valueOfLine(line: string, number: number): unknown {
  try {
    return parseJson(line)
  } catch {
    throw new Error(
      `Line ${number} is not JSON, and the format of this file is not known. Open a session file, a JSON history or a request body.`,
    )
  }
}

function listIn(value: unknown): readonly [string, readonly unknown[]] | undefined {
  if (!isObject(value)) return undefined
  const key = KEYS.find((one) => Array.isArray(value[one]))
  return key === undefined ? undefined : [key, value[key] as readonly unknown[]]
}

function single(value: unknown): Pick<Document, 'talks' | 'write'> {
  if (Array.isArray(value) && value.length > 0 && value.every((one) => listIn(one) !== undefined))
    return dataSet(value, true)
  const found = Array.isArray(value) ? undefined : listIn(value)
  const list = Array.isArray(value) ? value : found?.[1]
  if (!list)
    throw new Error(
      'This JSON is not a history: expected a list of messages, or an object with "messages", "input" or "contents".',
    )
  const body = found ? (value as Record<string, unknown>) : undefined
  const key = found?.[0]
  return {
    talks: [talkOf('main', list, body)],
    write: (histories) => {
      const history = histories.get('main')!
      return encoded(jsonText(body && key ? { ...body, [key]: history } : history)! + '\n')
    },
  }
}

/** One conversation in each line, as training and evaluation data has it. */
function dataSet(values: readonly unknown[], isList = false): Pick<Document, 'talks' | 'write'> {
  const talks = values.map((value, i) => talkOf(`line ${i + 1}`, listIn(value)![1], value as Record<string, unknown>))
  return {
    talks,
    write: (histories) => {
      const written = values.map((value, i) => ({
        ...(value as object),
        [listIn(value)![0]]: histories.get(`line ${i + 1}`)!,
      }))
      return encoded(isList ? jsonText(written)! : written.map((one) => jsonText(one)).join('\n') + '\n')
    },
  }
}

function talkOf(id: string, list: readonly unknown[], body: Readonly<Record<string, unknown>> | undefined): Talk {
  const dialect = dialectNamed(detect(body ?? list) ?? detect(list))
  const model = body?.['model'] ?? body?.['modelId']
  const rest = body ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== list)) : undefined
  return {
    id,
    dialect,
    provider: makerOf(dialect),
    ...defined('model', typeof model === 'string' ? model : undefined),
    stored: list.map((message) => ({ message })),
    next: list,
    origins: Int32Array.from(list, (_, i) => i),
    ...(rest ? { body: rest } : {}),
  }
}

function withLines(talk: Talk): Talk {
  return { ...talk, stored: talk.stored.map((one, i) => ({ ...one, lines: [i + 1, i + 1] as const })) }
}

export interface SessionInput {
  readonly id: string
  readonly stored: readonly unknown[]
  readonly next: readonly unknown[]
  readonly provider: string
  readonly dialect: string
  readonly model?: string
}

/** A session of the gateway: the stored messages, and the history that it sends. */
export function openSession({ id, stored, next, provider, dialect, model }: SessionInput): Document {
  const [was, now] = [stored.map(keyOf), next.map(keyOf)]
  const { origins } = align(was, now, () => false)
  const kept = new Set(origins)
  const talk: Talk = {
    id: 'main',
    title: id,
    dialect: dialectNamed(dialect),
    provider,
    ...defined('model', model),
    stored: stored.map((message, i) => ({ message, ...(kept.has(i) ? {} : { because: 'superseded' }) })),
    next,
    origins,
  }
  return { name: id, bytes: 0, talks: [talk], applied: [] }
}

function keyOf(message: unknown): string {
  return JSON.stringify(message)
}

export function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
