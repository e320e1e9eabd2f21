/**
 * The last resort: the oldest messages go, and a note stands for them. Dropped with a note that says so, digested without a model,
 * or summarised by whoever the caller asks. A note from before is always taken up, and its pins and ledger carried on.
 */
import { type Part, SutureError } from '../core/index.ts'
import { checkValue } from '../core/options.ts'
import { type Cut, chooseCut, waitingFrom } from './cut.ts'
import { digest, textIn } from './digest.ts'
import { enterAll } from './entries.ts'
import { fitLedger, LedgerBook, ledgerLines, ledgerSize, NO_LEDGER } from './ledger.ts'
import { withoutNative } from './native.ts'
import { type Note, readNote, writeNote } from './note.ts'
import { baseOf, noPlan, planFor, sizeOf } from './outcome.ts'
import { type Ask, type Desk, type Draft, isPlan, type Plan, type Reason, type Step } from './plan-types.ts'
import { withParts } from './rows.ts'
import { NOTED } from './tokens.ts'

/** Of the goal, what the ledger may take. */
const LEDGER = 0.15
const LEDGER_MOST = 8_000
const FRAME = 80

export function planCut(desk: Desk, strategy: 'drop' | 'summary', why: readonly Reason[]): Plan {
  const { list, lead, target, budget, policy, measure } = desk
  const { dialect } = target.service
  const pins = desk.pins.reduce((sum, pin) => sum + desk.estimate(pin) + 12, 0)
  const ledger = Math.min(LEDGER_MOST, budget.goal * LEDGER)
  const frame = FRAME + pins + ledger + (strategy === 'summary' ? policy.summary.max : 0)
  const room = (budget.goal - measure.around) / measure.scale - desk.sums[lead]! - frame
  const waiting = waitingFrom(list, dialect, desk.flags)
  const native = desk.seenFrom > 0 && desk.nativeText === undefined ? desk.seenFrom : list.length
  const ceiling = Math.min(native, waiting ?? list.length, desk.stays)
  const cut = chooseCut(list, dialect, {
    sums: desk.sums,
    flags: desk.flags,
    room,
    lead,
    ceiling,
    keepRounds: policy.keepRounds,
  })
  if (!cut) return noPlan(desk, [...why, noPlace(desk)])
  const { note, head, lost } = noteOf(desk, cut, ledger)
  const told = [...why, ...reasonsOf(desk, cut, pins), ...lost]
  if (strategy === 'drop') return shortest(desk, cut, note, [() => note.summary], 'drop', told)
  if (policy.summary.by === 'ask') return asking(desk, cut, note, head, told)
  const write = (max: number) => digest(head, { dialect, estimate: desk.estimate, prior: note.summary, max })
  const texts = [() => write(policy.summary.max), () => write(Math.floor(policy.summary.max / 4))]
  return shortest(desk, cut, note, texts, 'summary', told)
}

/** The plan with its summary. One that is empty, a refusal, or larger than what it stands for changes nothing. */
export function finish(plan: Plan, summary: string): Plan {
  checkValue('The plan', plan, isPlan)
  checkValue('The summary', summary, 'string')
  if (plan.needs === 'nothing') {
    throw new SutureError('bad-option', 'This plan waits for no summary: apply its patch.')
  }
  const { desk, cut, note } = plan.draft
  const text = summary.trim()
  if (text === '') return noPlan(desk, [...plan.why, { code: 'summary-empty', says: 'The summary came back empty.' }])
  if (isRefusal(text)) {
    return noPlan(desk, [...plan.why, { code: 'summary-refused', says: 'The model refused to summarise.' }])
  }
  const done = withNote(desk, cut, { ...note, summary: text }, 'summary', plan.why)
  return done.acts ? { ...done, pays: plan.pays } : done
}

/** The plan of a summary that could not be had. */
export function failed(plan: Plan, says: string): Plan {
  checkValue('The plan', plan, isPlan)
  return plan.needs === 'nothing' ? plan : noPlan(plan.draft.desk, [...plan.why, { code: 'summary-failed', says }])
}

function isRefusal(text: string): boolean {
  return (
    text.length < 400 &&
    /^(?:i['’]m sorry|sorry,|i (?:cannot|can['’]t|am unable|won['’]t)|as an ai\b|unable to )/i.test(text)
  )
}

function noPlace({ seenFrom, nativeText, stays, list }: Desk): Reason {
  if (seenFrom > 0 && nativeText === undefined)
    return { code: 'native-item', says: "The provider's own compaction item stands for the rest and cannot be read." }
  if (stays < list.length)
    return {
      code: 'no-place-to-cut',
      says: `Before the last ${list.length - stays} messages, which stay, is no whole round.`,
    }
  return { code: 'no-place-to-cut', says: 'There is one round only, and a round is not divided.' }
}

function reasonsOf(desk: Desk, cut: Cut, pins: number): Reason[] {
  const why: Reason[] = []
  if (cut.inTurn)
    why.push({ code: 'giant-turn', says: `One turn is larger than the budget: cut at ${cut.name}, its request stays.` })
  if (!cut.fits)
    why.push({ code: 'last-round-too-large', says: 'What has to stay is larger than the budget by itself.' })
  if (pins > desk.budget.goal / 2) why.push({ code: 'pins-too-large', says: `The pins alone take ${pins} tokens.` })
  return why
}

interface Noted {
  readonly note: Note
  readonly head: readonly unknown[]
  /** Entries of the ledger that had to go are told of. */
  readonly lost: readonly Reason[]
}

/** What goes, without the notes in it, and a note that carries on what those said. */
function noteOf(desk: Desk, cut: Cut, ledgerRoom: number): Noted {
  const spared = new Set(cut.spared)
  const { notes, list: head } = goneAt(desk, cut)
  // A note that was merged into the request of the turn is taken up too; the request stays without it.
  notes.push(...takeNotes(cut.spared, desk).notes)
  const book = new LedgerBook()
  for (const note of notes) book.add(note.ledger)
  enterAll(book, desk, { from: desk.lead, to: cut.at, spared })
  const seen = desk.nativeText === undefined || cut.at <= desk.seenFrom ? [] : [desk.nativeText]
  const prior = [desk.target.prior?.trim() ?? '', ...seen, ...notes.map(({ summary }) => summary)]
  const all = book.finished()
  const note: Note = {
    messages: head.length + notes.reduce((sum, { messages }) => sum + messages, 0),
    pins: [...new Set([...notes.flatMap(({ pins }) => pins), ...desk.pins])],
    summary: [...new Set(prior.filter((text) => text !== ''))].join('\n'),
    ledger: fitLedger(all, ledgerRoom, desk.estimate),
  }
  const lost = ledgerSize(all) - ledgerSize(note.ledger)
  const says = `The ledger has no room for its ${lost} oldest entries.`
  return { note, head, lost: lost > 0 ? [{ code: 'ledger-cut', says }] : [] }
}

/** The messages that go, without the notes in them. */
function goneAt(desk: Desk, { at, spared }: Cut): Taken {
  const { list, lead, flags } = desk
  let noted = false
  for (let i = lead; i < at && !noted; i++) noted = (flags[i]! & NOTED) !== 0
  const stays = spared.filter((place) => place >= lead && place < at).sort((a, b) => a - b)
  const head: unknown[] = []
  const places: number[] = []
  for (let i = lead, next = 0; i < at; i++) {
    if (i === stays[next]) next++
    else if (noted) places.push(i)
    else head.push(list[i])
  }
  return noted ? takeNotes(places, desk) : { notes: [], list: head }
}

interface Taken {
  readonly notes: Note[]
  readonly list: readonly unknown[]
}

/** Notes of earlier compactions in the messages at these places, and the messages without them. */
function takeNotes(places: readonly number[], { list: all, flags, target }: Desk): Taken {
  const list = places.map((place) => all[place])
  const notes: Note[] = []
  const changes = new Map<Part, unknown>()
  const { dialect } = target.service
  places.forEach((place, i) => {
    if ((flags[place]! & NOTED) === 0) return
    const parts: Part[] = []
    dialect.read(list[i], i, parts)
    for (const part of parts) {
      const found = part.kind === 'text' && typeof part.body === 'string' ? readNote(part.body) : undefined
      if (!found) continue
      notes.push(found.note)
      const stays = found.rest !== '' || part.index < 0
      changes.set(part, stays ? dialect.write(part, part.value, { text: found.rest }) : undefined)
    }
  })
  return { notes, list: changes.size === 0 ? list : withParts(list, changes, dialect) }
}

/** The first text with which it fits; if none does, the bare note. */
function shortest(
  desk: Desk,
  cut: Cut,
  note: Note,
  texts: readonly (() => string)[],
  strategy: 'drop' | 'summary',
  why: readonly Reason[],
): Plan {
  let full: Plan | undefined
  let summary = ''
  for (const text of texts) {
    summary = text()
    full = withNote(desk, cut, { ...note, summary }, strategy, why)
    if (full.acts && full.fits) return full
  }
  const size = ledgerSize(note.ledger)
  if (size === 0 && full?.acts && summary === '') return full
  const says = `There was no room for the summary and the ledger of ${size} entries.`
  const bare = { ...note, ledger: NO_LEDGER, summary: '' }
  const plan = withNote(desk, cut, bare, strategy, [...why, { code: 'ledger-cut', says }])
  return full?.acts && (!plan.acts || !plan.fits) ? full : plan
}

function withNote(desk: Desk, cut: Cut, note: Note, strategy: 'drop' | 'summary', why: readonly Reason[]): Plan {
  const { list, lead, target } = desk
  const { dialect } = target.service
  const spared = takeNotes(cut.spared, desk).list
  const system = spared.filter((message) => dialect.read(message, 0, []) === 'system')
  const request = spared.filter((message) => dialect.read(message, 0, []) !== 'system')
  const tail = list.slice(cut.at)
  const said = (dialect.suited?.(list) ?? dialect).say('user', writeNote(note))
  const kept = [
    ...list.slice(0, lead),
    ...system,
    said,
    ...request,
    ...(target.native ? tail : withoutNative(tail, dialect)),
  ]
  const saves = Math.round(desk.measure.total - sizeOf(desk, kept))
  const step: Step = { strategy, saves, from: lead, to: cut.at, cut: cut.name, instead: [said, ...request] }
  return planFor({ ...desk, pins: note.pins }, kept, [step], why)
}

function asking(desk: Desk, cut: Cut, note: Note, head: readonly unknown[], why: readonly Reason[]): Plan {
  const { dialect } = desk.target.service
  const request = cut.inTurn
    ? textIn(
        cut.spared.map((i) => desk.list[i]),
        dialect,
      )
    : ''
  const { max } = desk.policy.summary
  const ask: Ask = { head, prior: note.summary, request, max, service: desk.target.service, estimate: desk.estimate }
  const draft: Draft = { desk, cut, note }
  const lines = ledgerLines(note.ledger).join('\n')
  const tail = (desk.sums[desk.list.length]! - desk.sums[cut.at]! + desk.sums[desk.lead]!) * desk.measure.scale
  const after = Math.round(desk.measure.around + tail + max + desk.estimate(lines) + FRAME)
  const kept = desk.list.slice(0, desk.lead)
  const step: Step = {
    strategy: 'summary',
    saves: Math.round(desk.measure.total) - after,
    from: desk.lead,
    to: cut.at,
    cut: cut.name,
  }
  return {
    needs: 'summary',
    ask,
    draft,
    ...baseOf(desk, { list: kept, after, patch: [], steps: [step], why, acts: false }, max),
  }
}
