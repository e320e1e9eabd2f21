import {
  type Bound,
  type Converted,
  convertMessages,
  convertParts,
  type Dialect,
  defineRule,
  type Explanation,
  type Fix,
  type Names,
  type Step,
  type Transcript,
  withKey,
} from '../core/index.ts'
import { aboutForeign, type ForeignRun, foreignRuns, wholeSource, wrappedMessages } from './lib/foreign.ts'

export interface ForeignMessage {
  /** Dialects that a message or a part may be in instead. */
  readonly others: readonly Dialect[]
}

/** Messages and parts of another dialect. First of all rules: the others would misread them. */
export const foreignMessage = defineRule({
  id: 'foreign-message',
  phase: 'shape',
  about: aboutForeign,
  repair: 'lossy',
  messages: {
    message: '{subject} in the format {source}, but {provider} expects {target}. {Repair} rewrites the format.',
    lossy:
      '{subject} in the format {source}, but {provider} expects {target}. {Repair} rewrites the format and drops {lost}, which {target} cannot contain.',
    wrapped: 'Message {from} is inside a record, under the key `message`; {rejects} it there. {Repair} takes it out.',
    history:
      'The whole history is in the format {source}, but {provider} expects {target}. Convert it with `convert: true`, or choose a provider that takes {source}.',
    converted:
      'The whole history is in the format {source}, but {provider} expects {target}. {Repair} converts it. Dropped: {lost}.',
  },
  check(t, { others, rejected }: Bound<ForeignMessage>, report) {
    for (const { index, inner } of wrappedMessages(t))
      report('wrapped', [index], { from: index }, [{ do: 'replace-message', message: index, value: inner }], FIRST)
    const runs = foreignRuns(t, others)
    if (runs.length === 0) return
    const names: Names = new Map(t.calls.flatMap(({ id, name }) => (id && name ? [[id, name] as const] : [])))
    const source = wholeSource(t, runs, others)
    const target = t.dialect.id
    // Once the provider has rejected it, there is nothing to lose by converting it.
    if (source && !t.convert && !rejected) {
      report('history', [runs[0]!.from], { source: source.id, target }, [], FIRST)
    } else if (source) {
      const all = convertMessages(t.history, 0, source, t.dialect, names)
      const lost = lostIn(all) || 'nothing'
      report('converted', [runs[0]!.from], { source: source.id, target, lost }, wholeFix(t, source, all), FIRST)
    } else {
      for (const run of runs)
        for (const one of convertRun(t, run, names)) {
          const lost = lostIn([one])
          const [from, to] = [one.from, one.to - 1]
          const subject = from === to ? `Message ${from} is` : `Messages ${from} to ${to} are`
          const data = { from, to, subject, source: sourceOf(run), target, lost }
          report(lost === '' ? 'message' : 'lossy', [one.from], data, stepsFor(one), FIRST)
        }
    }
  },
})

const FIRST = { first: true }

function convertRun(t: Transcript, { from, to, source, parts }: ForeignRun, names: Names): readonly Converted[] {
  if (source) return convertMessages(t.history.slice(from, to), from, source, t.dialect, names)
  return [convertParts(t, from, parts, names)]
}

function sourceOf({ source, parts }: ForeignRun): string {
  return source?.id ?? [...new Set([...parts.values()].map(({ id }) => id))].join(', ')
}

function lostIn(all: readonly Converted[]): string {
  return [...new Set(all.flatMap(({ lost }) => lost))].join(', ')
}

function stepsFor({ from, to, messages }: Converted): Step[] {
  const [value, ...more] = messages
  const rest = Array.from({ length: to - from - 1 }, (_, k): Step => {
    return { do: 'replace-message', message: from + 1 + k, value: undefined }
  })
  return [{ do: 'replace-message', message: from, value, more }, ...rest]
}

/** All messages, and the request's instructions, which go where the target keeps them. */
function wholeFix(t: Transcript, source: Dialect, all: readonly Converted[]): Fix {
  const steps = all.flatMap(stepsFor)
  const found = t.request && source.neutral?.instructions?.(t.request)
  if (!t.request || !found) return steps
  const removed: Step = { do: 'set-request', key: found.key, value: undefined }
  const place = t.dialect.withInstructions?.(withKey(t.request, found.key, undefined), [found.text])
  if (place) return [{ do: 'set-request', ...place }, ...(place.key === found.key ? [] : [removed]), ...steps]
  const [system] = t.dialect.neutral!.compose('system', [{ kind: 'text', text: found.text }])
  const [first, ...rest] = all
  return [removed, ...stepsFor({ ...first!, messages: [system, ...first!.messages] }), ...rest.flatMap(stepsFor)]
}

export const explanation: Explanation = {
  summary: 'Every message and part is in the format of the API that gets it.',
  why: 'After a switch of model or provider, earlier messages are in another format, and the whole request is rejected.',
  repair: 'Repair rewrites texts, calls, results and images into the format of the target.',
}
