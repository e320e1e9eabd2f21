/**
 * Figures of a warm process: lint and repair of long histories, of single conversations, and of a small request.
 */

import type { Finding } from '../src/index.ts'
import { FIXED_BYTES, type Row } from './core-rows.ts'
import { recorded } from './corpus.ts'
import type { Engine, Target } from './engine.ts'
import { conversations, longHistory, oneFault } from './histories.ts'
import { against } from './measure.ts'
import { nameOf, type Subject, targetOf } from './subjects.ts'

export interface Extents {
  /** Bytes of a long history. */
  readonly long: number
  /** Bytes of all conversations that are worked on one by one. */
  readonly each: number
  readonly runs: number
}

interface Case {
  readonly engine: Engine
  readonly subject: Subject
  readonly options: Target
  readonly extents: Extents
}

/** What is worked on, as JSON. */
interface Texts {
  readonly texts: readonly string[]
  readonly note: string
}

const textsFor = {
  lint({ engine, subject, options, extents: { long } }) {
    const history = onceLong(subject, long)
    mustBeValid(subject, engine.lint(history, options))
    return { texts: [JSON.stringify(history)], note: `${history.length} messages` }
  },
  'lint-each': (given) => each(given, (histories) => histories),
  'repair-each': (given) =>
    each(given, (histories) => histories.flatMap((history) => oneFault(history, given.subject.dialect))),
} as const satisfies Readonly<Record<string, (given: Case) => Texts>>

export type WarmPart = keyof typeof textsFor

export function isWarm(part: string): part is WarmPart {
  return Object.hasOwn(textsFor, part)
}

export function warm(part: WarmPart, engine: Engine, subject: Subject, extents: Extents): Row {
  const { provider, dialect, model } = subject
  const options = targetOf(subject)
  const { texts, note } = textsFor[part]({ engine, subject, options, extents })
  const work = part.startsWith('lint') ? engine.lint : engine.repair
  const { median, best, parse } = against(texts, (fresh) => work(fresh, options), extents.runs, beside(part))
  const figures = { ratio: median, best }
  return { part, provider, dialect, model, ...figures, note: `${note}, parse ${parse.toFixed(1)} ms` }
}

/** A request of so many bytes, with the mix of keys and text of any other. */
function beside(part: WarmPart): string | undefined {
  const bytes = FIXED_BYTES[part]
  const message = { role: 'user', content: 'Read the file and tell what it does. '.repeat(5) }
  return bytes === 0 ? undefined : JSON.stringify(Array.from({ length: Math.round(bytes / 218) }, () => message))
}

/** With fewer real conversations than this, seeded ones are used. */
const FEWEST = 20

/** Real conversations that are valid for this subject, else seeded ones; the same again and again up to a size. */
function each({ engine, subject, options, extents }: Case, change: (histories: unknown[][]) => unknown[][]): Texts {
  const all = onceRecorded(subject)
  const valid = all.filter((history) => engine.lint(history, options).length === 0)
  const isReal = valid.length >= FEWEST
  const histories = isReal ? valid : conversations(subject, 5e5)
  if (!isReal) for (const history of histories) mustBeValid(subject, engine.lint(history, options))
  const unique = change(histories).map((history) => JSON.stringify(history))
  const texts: string[] = []
  for (let size = 0; size < extents.each; size += texts.at(-1)!.length)
    texts.push(unique[texts.length % unique.length]!)
  return { texts, note: isReal ? `${valid.length} of ${all.length} real` : `${histories.length} seeded` }
}

/** Several parts work on the same histories. */
const onceLong = remembered((subject: Subject, bytes: number) => longHistory(subject, bytes))
const onceRecorded = remembered(({ dialect }: Subject) => recorded(dialect))

function remembered<T>(make: (subject: Subject, bytes: number) => T): (subject: Subject, bytes?: number) => T {
  let value: T | undefined
  return (subject, bytes = 0) => (value ??= make(subject, bytes))
}

/** A bench on a history with findings would measure something else. */
function mustBeValid(subject: Subject, [first]: readonly Finding[]): void {
  if (first)
    throw new Error(
      `Not valid for ${nameOf(subject)}: ${first.severity} ${first.rule} at /${first.at.join('/')}: ${first.message}`,
    )
}
