/**
 * What repair promises, as checks of one history for one target. Used by the property tests and by the long fuzz run.
 */

import { judge } from '../contract/judge.ts'
import { type Dialect, isSynthetic, type Part } from '../src/core/index.ts'
import { apply, invert } from '../src/index.ts'
import { endpoints } from './dialect-table.ts'
import { lint, type NamedOptions, repair } from './untyped-api.ts'

export interface Subject {
  readonly history: readonly unknown[]
  readonly dialect: Dialect
  readonly options: NamedOptions & { readonly provider: string }
}

/** The first promise that is broken, in words; undefined when all hold. */
export function brokenPromise(subject: Subject): string | undefined {
  const { history, options } = subject
  const before = JSON.stringify(history)
  const repaired = repair(history, options)
  const text = JSON.stringify(repaired.value)
  if (JSON.stringify(history) !== before) return 'the input was changed'
  const errors = lint(repaired.value, options).filter((one) => one.severity === 'error')
  const fixable = errors.filter((one) => one.fix !== undefined)
  if (fixable.length > 0)
    return `not accepted by lint: ${fixable.map((one) => `${one.rule} at ${one.at.join('/')}`).join(', ')}`
  return (
    validStays(subject, repaired) ??
    undoes(subject, repaired, before, text) ??
    rests(repaired.value, options) ??
    keeps(subject, repaired.value) ??
    honest(subject, repaired.value) ??
    accepted(subject, repaired.value, errors.length) ??
    stable(subject, repaired)
  )
}

type Outcome = ReturnType<typeof repair<readonly unknown[]>>

function validStays({ history }: Subject, { findings, patch, value: after }: Outcome): string | undefined {
  if (patch.length === 0 && after !== history) return 'nothing to repair, yet another array came back'
  return findings.length === 0 && after !== history ? 'no finding, yet the history was changed' : undefined
}

function undoes(
  { history }: Subject,
  { patch, value: after }: Outcome,
  before: string,
  text: string,
): string | undefined {
  const stored = JSON.parse(JSON.stringify(patch))
  if (stableText(apply(after, invert(patch))) !== stableText(history)) return 'undo does not give the input back'
  if (JSON.stringify(apply(history, stored)) !== text) return 'the patch does not survive JSON'
  return before === '' ? 'no text' : undefined
}

function rests(after: readonly unknown[], options: NamedOptions): string | undefined {
  const again = repair(after, options)
  return again.value === after
    ? undefined
    : `repairing again changes more: ${again.findings.map((one) => one.rule).join(', ')}`
}

/** No user text and no real tool output leaves the model's sight. */
function keeps({ history, dialect }: Subject, after: readonly unknown[]): string | undefined {
  // In order and with repetitions: several blocks of one result may have become texts.
  const whole = wellFormed(saidIn(after, dialect, true).join('\n'))
  for (const text of saidIn(history, dialect)) {
    const wanted = wellFormed(text)
    if (!whole.includes(wanted)) return `lost: ${JSON.stringify(wanted.slice(0, 80))}`
  }
  return undefined
}

/** Half a surrogate pair may be literal or escaped in JSON. */
function wellFormed(text: string): string {
  return text.toWellFormed().replace(/\\ud[89a-f][0-9a-f]{2}/gi, '\ufffd')
}

function saidIn(history: readonly unknown[], dialect: Dialect, all = false): readonly string[] {
  const texts: string[] = []
  history.forEach((message, index) => {
    const parts: Part[] = []
    const role = dialect.read(message, index, parts)
    for (const part of parts) {
      const text =
        part.kind === 'result'
          ? dialect.content(part).text
          : part.kind === 'text' && (all || role === 'user' || role === 'system')
            ? part.body
            : undefined
      if (typeof text === 'string' && text.trim() !== '' && !isSynthetic(text)) texts.push(text)
    }
  })
  return texts
}

/** If an object is required, another value is wrapped into one. */
function unwrapped(text: string): string {
  return text.replace(/^\{"result":(.*)\}$/s, '$1')
}

/** The text for a failure without one, the form of an empty object, and the note for media of a result. */
const fillers = new Set([
  'The tool failed and gave no message.',
  '{"result":null}',
  '(no output)',
  '(see the media in the next message)',
])

/** A new result has one of our texts and never reads as success. */
function honest({ history, dialect }: Subject, after: readonly unknown[]): string | undefined {
  const outputs = (list: readonly unknown[]) =>
    list.flatMap((message, index) => {
      const parts: Part[] = []
      dialect.read(message, index, parts)
      return parts
        .filter(({ kind, server }) => kind === 'result' && !server)
        .map((part) => wellFormed(dialect.content(part).text))
    })
  const known = new Set(outputs(history))
  const invented = outputs(after).filter(
    (text) =>
      !known.has(text) && !known.has(unwrapped(text)) && !isSynthetic(text) && !fillers.has(text) && text.trim() !== '',
  )
  return invented.length > 0 ? `invented output: ${JSON.stringify(invented[0]!.slice(0, 80))}` : undefined
}

/** The contract accepts it. */
export function accepted(subject: Subject, after: readonly unknown[], leftErrors: number): string | undefined {
  const { dialect, options } = subject
  if (!endpoints[dialect.id] || leftErrors > 0 || options.provider === 'strictest') return undefined
  // What is not known is repaired after a rejection, or with `strict`.
  const waits = lint(after, options).some(({ notKnown }) => notKnown !== undefined)
  const { value, remaining } = waits ? repair(after, { ...options, strict: true }) : { value: after, remaining: [] }
  // A finding without a fix is left in any case.
  if (remaining.some(({ severity, notKnown }) => severity === 'error' || notKnown !== undefined)) return undefined
  const verdict = verdictOf(subject, value)
  return verdict.accepted ? undefined : `the contract rejects: ${verdict.rule}: ${verdict.message}`
}

function verdictOf({ dialect, options }: Subject, list: readonly unknown[]) {
  const declared = dialect.id === 'bedrock-converse' ? { toolConfig: { tools: [] } } : {}
  const body = { model: options.model, [dialect.key]: list, ...declared }
  return judge({
    provider: options.provider,
    endpoint: endpoints[dialect.id]!,
    body,
    ...(options.model ? { model: options.model } : {}),
  })
}

/**
 * What was repaired before an append stays byte-identical after it. The open end, where the append joins, is left out.
 */
function stable({ history, dialect, options }: Subject, { value: after, findings }: Outcome): string | undefined {
  // The first prompt of all takes the place of the one that was put in for it, at the very head.
  if (findings.some(({ rule }) => rule === 'no-user-message')) return undefined
  const next = repair([...history, dialect.textMessage('user', 'And now?')], options)
  const settled = lastAnswer(after, dialect)
  for (let i = 0; i < settled; i++) {
    if (JSON.stringify(after[i]) !== JSON.stringify(next.value[i])) return `message ${i} changed with an append`
  }
  return undefined
}

function lastAnswer(history: readonly unknown[], dialect: Dialect): number {
  for (let i = history.length - 1; i >= 0; i--) if (dialect.read(history[i], i, []) === 'assistant') return i
  return 0
}

/** Keys in order: an undo may put a key back at another place of its object. */
export function stableText(value: unknown): string {
  return JSON.stringify(value, (_key, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
