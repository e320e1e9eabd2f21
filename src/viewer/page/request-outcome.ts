/** The outcome of a request, in the words of the guard's events, from one line of the gateway's log. */
import type { RequestEvent } from './gateway.ts'

export type Outcome = 'repaired' | 'rejected' | 'recovered' | 'shrunk' | 'incomplete' | 'failed' | 'passed'

/** Fields of the log line, in the order in which the outcomes are named. */
const FIELDS: readonly (readonly [Outcome, readonly string[]])[] = [
  ['repaired', ['edits']],
  ['rejected', ['rejection']],
  ['recovered', ['recoveries']],
  ['shrunk', ['fieldsRemoved', 'compacted']],
  ['incomplete', ['incomplete', 'upstreamDisconnected', 'clientDisconnected']],
  ['failed', ['failed', 'error', 'warning']],
]

export function outcomesOf(event: RequestEvent): readonly Outcome[] {
  const found = FIELDS.flatMap(([outcome, names]) => (names.some((name) => event[name] !== undefined) ? [outcome] : []))
  return found.length > 0 ? found : ['passed']
}

export function toneOf(outcome: Outcome): 'quiet' | 'warn' | 'bad' {
  if (outcome === 'passed') return 'quiet'
  return outcome === 'rejected' || outcome === 'failed' ? 'bad' : 'warn'
}

/** The rules of the findings and of the rejection. */
export function rulesOf({ findings = {}, rejection }: RequestEvent): readonly string[] {
  return [...new Set([...Object.keys(findings), ...(rejection === undefined ? [] : [rejection])])]
}

/** One line: rules with their counts, the recoveries of the guard, and errors. */
export function summaryOf(event: RequestEvent): string {
  const rules = Object.entries(event.findings ?? {}).map(([rule, count]) => `${rule} × ${count}`)
  const fields = ['rejection', 'recoveries', 'incomplete', 'failed', 'error', 'warning', 'fieldsRemoved']
  const lists = [rules, ...fields.map((name) => [event[name] ?? []].flat())]
  const parts = lists.filter((list) => list.length > 0).map((list) => list.join(', '))
  if (event['upstreamDisconnected']) parts.push('the upstream closed the connection')
  if (event['clientDisconnected']) parts.push('the client left')
  return parts.join(' · ')
}

/** Facts for the details of a request, without those that the log line does not have. */
export function factsOf(event: RequestEvent): readonly (readonly [string, string])[] {
  const { tokens } = event
  const facts: (readonly [string, string | undefined])[] = [
    ['request id', event.id],
    ['mode', event.mode],
    ['edits', textOf(event['edits'])],
    ['what the repair changed', event.changes?.join('; ')],
    ['rounds', event.rounds?.join('; ')],
    ['rejected at', textOf(event['rejectionRound'])],
    ['bytes', textOf(event['bytes'])],
    ['input tokens, reported', textOf(tokens?.input)],
    ['of them cached', textOf(tokens?.cached)],
    ['output tokens, reported', textOf(tokens?.output)],
  ]
  return facts.filter((one): one is readonly [string, string] => one[1] !== undefined)
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return value.toLocaleString('en')
  return typeof value === 'string' && value !== '' ? value : undefined
}
