/**
 * The strategies `summary` and `drop`: the oldest messages are replaced by a note, with a digest, a model's summary or
 * neither. Notes of earlier compactions are merged into the new one, with their pins and ledger.
 */
import { type Part, readMessage, SutureError, Transcript } from '../core/index.ts'
import { checkValue } from '../core/options.ts'
import { assemblePlan, cancelPlan, noPlan, planBase, tokensOfList } from './assemble-plan.ts'
import { type Cut, chooseCut, firstWaiting } from './choose-cut.ts'
import { type CompactionNote, isNote, readNote, writeNote } from './compaction-note.ts'
import { digest, textOf } from './digest.ts'
import { replaceParts } from './edit-parts.ts'
import { collectLedger, fitLedger, ledgerLines, ledgerSize, NO_LEDGER } from './ledger.ts'
import { type CutDraft, isPlan, type Plan, type PlanStep, type Reason, type SummaryInput } from './plan-types.ts'
import type { PlanningInput } from './planning-input.ts'
import { withoutProviderItems } from './provider-compaction.ts'

/** The ledger's share of the goal, and its maximum in tokens. */
const LEDGER = 0.15
const MAX_LEDGER = 8_000
/** Tokens of the note without its content. */
const FRAME = 80

export function planCut(input: PlanningInput, strategy: 'drop' | 'summary', why: readonly Reason[]): Plan {
  const { list, lead, target, budget, strategies, measure, transcript } = input
  const { dialect } = target.service
  const pins = input.pins.reduce((sum, pin) => sum + input.estimate(pin) + 12, 0)
  const ledger = Math.min(MAX_LEDGER, budget.goal * LEDGER)
  const frame = FRAME + pins + ledger + (strategy === 'summary' ? strategies.summary.maxTokens : 0)
  const available = (budget.goal - measure.around) / measure.scale - input.sums[lead]! - frame
  const waiting = firstWaiting(transcript)
  const encrypted = input.seenFrom > 0 && input.providerText === undefined ? input.seenFrom : list.length
  const ceiling = Math.min(encrypted, waiting ?? list.length, input.stays)
  const { sums } = input
  const cut = chooseCut(transcript, { sums, available, lead, ceiling, keepRounds: strategies.keepRounds })
  if (!cut) return noPlan(input, [...why, noPlace(input)])
  const { note, head, lost } = noteOf(input, cut, ledger)
  const reasons = [...why, ...reasonsOf(input, cut, pins), ...lost]
  if (strategy === 'drop') return shortest(input, cut, note, [() => note.summary], 'drop', reasons)
  if (strategies.summary.method === 'model') return waitForSummary(input, cut, note, head, reasons)
  const write = (maxTokens: number) =>
    digest(head, { dialect, estimate: input.estimate, prior: note.summary, maxTokens })
  const texts = [() => write(strategies.summary.maxTokens), () => write(Math.floor(strategies.summary.maxTokens / 4))]
  return shortest(input, cut, note, texts, 'summary', reasons)
}

/** Completes a plan. An empty summary, a refusal, or one that is too large changes nothing. */
export function finish(plan: Plan, summary: string): Plan {
  checkValue('The plan', plan, isPlan)
  checkValue('The summary', summary, 'string')
  if (plan.needs === 'nothing') {
    throw new SutureError('bad-option', 'This plan needs no summary. Apply its patch.')
  }
  const { input, cut, note } = plan.draft
  const text = summary.trim()
  if (text === '') return noPlan(input, [...plan.why, { code: 'summary-empty', message: 'The summary is empty.' }])
  if (isRefusal(text)) {
    return noPlan(input, [...plan.why, { code: 'summary-refused', message: 'The model refused to summarize.' }])
  }
  const done = withNote(input, cut, { ...note, summary: text }, 'summary', plan.why)
  return done.changesAnything ? { ...done, breakEven: plan.breakEven } : done
}

/** Cancels a plan whose summary failed. `message`: why. */
export function failed(plan: Plan, message: string): Plan {
  checkValue('The plan', plan, isPlan)
  return cancelPlan(plan, { code: 'summary-failed', message })
}

function isRefusal(text: string): boolean {
  return (
    text.length < 400 &&
    /^(?:i['’]m sorry|sorry,|i (?:cannot|can['’]t|am unable|won['’]t)|as an ai\b|unable to )/i.test(text)
  )
}

function noPlace({ seenFrom, providerText, stays, list }: PlanningInput): Reason {
  if (seenFrom > 0 && providerText === undefined)
    return { code: 'native-item', message: 'The older messages are in an encrypted compaction item of the provider.' }
  if (stays < list.length)
    return {
      code: 'no-place-to-cut',
      message: `There is no whole round before the last ${list.length - stays} messages, which must stay (minKeep).`,
    }
  return { code: 'no-place-to-cut', message: 'The history has only one round, and a round is never divided.' }
}

function reasonsOf(input: PlanningInput, cut: Cut, pins: number): Reason[] {
  const why: Reason[] = []
  if (cut.inTurn)
    why.push({
      code: 'giant-turn',
      message: `One turn is larger than the budget. It is cut at ${cut.name}; its request stays.`,
    })
  if (!cut.fits) why.push({ code: 'last-round-too-large', message: 'The messages that must stay exceed the budget.' })
  if (pins > input.budget.goal / 2) why.push({ code: 'pins-too-large', message: `The pins take ${pins} tokens.` })
  return why
}

/** The removed messages without earlier notes, and a note with those. `lost`: why ledger entries were dropped. */
function noteOf(input: PlanningInput, cut: Cut, maxLedger: number) {
  const spared = new Set(cut.spared)
  const removed: number[] = []
  for (let i = input.lead; i < cut.at; i++) if (!spared.has(i)) removed.push(i)
  const { notes, list: head } = takeNotes(removed, input)
  // A note that was merged into the request of the turn is included, too; the request stays without it.
  notes.push(...takeNotes(cut.spared, input).notes)
  const seen = input.providerText === undefined || cut.at <= input.seenFrom ? [] : [input.providerText]
  const prior = [input.target.prior?.trim() ?? '', ...seen, ...notes.map(({ summary }) => summary)]
  const earlier = notes.map(({ ledger }) => ledger)
  const all = collectLedger(earlier, input.transcript, { from: input.lead, to: cut.at, spared })
  const note: CompactionNote = {
    messages: head.length + notes.reduce((sum, { messages }) => sum + messages, 0),
    pins: [...new Set([...notes.flatMap(({ pins }) => pins), ...input.pins])],
    summary: [...new Set(prior.filter((text) => text !== ''))].join('\n'),
    ledger: fitLedger(all, maxLedger, input.estimate),
  }
  const left = ledgerSize(all) - ledgerSize(note.ledger)
  const message = `The ${left} oldest entries of the ledger do not fit.`
  const lost: readonly Reason[] = left > 0 ? [{ code: 'ledger-cut', message }] : []
  return { note, head, lost }
}

interface TakenNotes {
  readonly notes: CompactionNote[]
  readonly list: readonly unknown[]
}

/** Notes of earlier compactions in the messages at these indexes, and the messages without them. */
function takeNotes(places: readonly number[], { transcript, target }: PlanningInput): TakenNotes {
  const { history } = transcript
  const { dialect } = target.service
  const noted = noteMessages(transcript)
  const list = places.map((place) => history[place])
  if (!places.some((place) => noted.has(place))) return { notes: [], list }
  const notes: CompactionNote[] = []
  const changes = new Map<Part, unknown>()
  for (const part of new Transcript(list, dialect).texts) {
    const found = noted.has(places[part.message]!) && typeof part.body === 'string' ? readNote(part.body) : undefined
    if (!found) continue
    notes.push(found.note)
    const stays = found.rest !== '' || part.index < 0
    changes.set(part, stays ? dialect.write(part, part.value, { text: found.rest }) : undefined)
  }
  return { notes, list: changes.size === 0 ? list : replaceParts(list, changes, dialect) }
}

/** Indexes of user messages that may contain a note. */
function noteMessages(transcript: Transcript): ReadonlySet<number> {
  return transcript.derive(noteMessages, () => {
    const found = new Set<number>()
    for (const { message, body } of transcript.texts)
      if (typeof body === 'string' && transcript.role(message) === 'user' && isNote(body)) found.add(message)
    return found
  })
}

/** The plan with the first text that fits; if none does, with the note alone. */
function shortest(
  input: PlanningInput,
  cut: Cut,
  note: CompactionNote,
  texts: readonly (() => string)[],
  strategy: 'drop' | 'summary',
  why: readonly Reason[],
): Plan {
  let full: Plan | undefined
  let summary = ''
  for (const text of texts) {
    summary = text()
    full = withNote(input, cut, { ...note, summary }, strategy, why)
    if (full.changesAnything && full.fits) return full
  }
  const size = ledgerSize(note.ledger)
  if (size === 0 && full?.changesAnything && summary === '') return full
  const message = `The summary and the ledger of ${size} entries do not fit.`
  const bare = { ...note, ledger: NO_LEDGER, summary: '' }
  const plan = withNote(input, cut, bare, strategy, [...why, { code: 'ledger-cut', message }])
  return full?.changesAnything && (!plan.changesAnything || !plan.fits) ? full : plan
}

function withNote(
  input: PlanningInput,
  cut: Cut,
  note: CompactionNote,
  strategy: 'drop' | 'summary',
  why: readonly Reason[],
): Plan {
  const { list, lead, target } = input
  const { dialect } = target.service
  const spared = takeNotes(cut.spared, input).list
  const isSystem = (message: unknown) => readMessage(message, dialect).role === 'system'
  const system = spared.filter(isSystem)
  const request = spared.filter((message) => !isSystem(message))
  const tail = list.slice(cut.at)
  const noteMessage = input.transcript.dialect.textMessage('user', writeNote(note))
  const kept = [
    ...list.slice(0, lead),
    ...system,
    noteMessage,
    ...request,
    ...(target.native ? tail : withoutProviderItems(tail, dialect)),
  ]
  const saves = Math.round(input.measure.total - tokensOfList(input, kept))
  const instead = [noteMessage, ...request]
  const step: PlanStep = { strategy, saves, from: lead, to: cut.at, cut: cut.name, instead }
  return assemblePlan({ ...input, pins: note.pins }, kept, [step], why)
}

function waitForSummary(
  input: PlanningInput,
  cut: Cut,
  note: CompactionNote,
  head: readonly unknown[],
  why: readonly Reason[],
): Plan {
  const { estimate, lead, measure, sums, list } = input
  const { service } = input.target
  const requests = cut.inTurn ? cut.spared.map((i) => textOf(input.transcript.partsOf(i))) : []
  const request = requests.filter(Boolean).join('\n')
  const { maxTokens } = input.strategies.summary
  const summaryInput: SummaryInput = { head, prior: note.summary, request, maxTokens, service, estimate }
  const draft: CutDraft = { input, cut, note }
  const kept = (sums[list.length]! - sums[cut.at]! + sums[lead]!) * measure.scale
  const after = Math.round(measure.around + kept + maxTokens + estimate(ledgerLines(note.ledger).join('\n')) + FRAME)
  const saves = Math.round(measure.total) - after
  const step: PlanStep = { strategy: 'summary', saves, from: lead, to: cut.at, cut: cut.name }
  const change = { list: list.slice(0, lead), after, patch: [], steps: [step], why, changesAnything: false }
  return { needs: 'summary', summaryInput, draft, ...planBase(input, change, maxTokens) }
}
