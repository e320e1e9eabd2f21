/**
 * The compaction table: each budget over valid and broken histories, a giant turn, a failing summarizer, the prefix.
 */
import { judge } from '../../contract/judge.ts'
import { Random } from '../../src/testing/corruptions/index.ts'
import { canonical, keptOf, type Share } from './content.ts'
import { assistant, call, type Plain } from './plain.ts'
import { sutureCompactors } from './suture-compaction.ts'
import { corrupted, sources, type Trial } from './trials.ts'
import { requestOf, type Target, targets } from './wires.ts'

export interface Compactor {
  readonly name: string
  readonly version: string
  readonly usage: string
  compact(history: readonly Plain[], tokens: number): Promise<Compacted>
  /** The same while every request for a summary fails; absent if no model is asked. */
  failing?(history: readonly Plain[], tokens: number): Promise<readonly Plain[]>
}

export interface Compacted {
  readonly plain: readonly Plain[]
  /** As written for a provider; absent: in the form that frameworks write. */
  messages?(target: Target): readonly unknown[]
  /** False if it reports itself that the result does not fit. */
  readonly fits?: boolean
}

export interface CompactionRow {
  readonly name: string
  readonly version: string
  readonly usage: string
  readonly valid: Share
  readonly broken: Share
  readonly within: Share
  /** Results over the budget that are not reported as such. */
  readonly silentlyOver: number
  readonly giantTurn: Share
  readonly failingSummary: 'unchanged' | 'changed' | 'no model'
  /** Share of the shortened request that the next one begins with, in percent. */
  readonly prefixKept: number
}

const SHARES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
const GIANT = [0.2, 0.35, 0.5, 0.65, 0.8]
const HISTORIES = 12
const ADAPTER = './adapters/compactors.ts'
const asked = targets.filter(({ provider }) => provider === 'anthropic' || provider === 'openai')

/** Four characters per token of texts, calls and results: the same measure for all. */
export function tokensOf(history: readonly Plain[]): number {
  let length = 0
  for (const message of history) {
    length += message.content?.length ?? 0
    if (message.role === 'assistant')
      for (const one of message.tool_calls ?? []) length += one.function.arguments.length
  }
  return Math.ceil(length / 4)
}

export async function compactionTable(progress: (line: string) => void): Promise<unknown> {
  const found = sources(400)
  const long = [...found.conversations].sort((a, b) => b.length - a.length).slice(0, HISTORIES)
  const broken = corrupted({ ...found, conversations: long }, HISTORIES * 8).filter(({ isPlain }) => isPlain)
  const { peers } = (await import(ADAPTER)) as { readonly peers: readonly Compactor[] }
  const rows: CompactionRow[] = []
  for (const compactor of [...sutureCompactors, ...peers]) {
    const row = await rowOf(compactor, long, broken)
    progress(
      `  ${row.name.padEnd(36)} valid ${text(row.valid)}, broken ${text(row.broken)}, within ${text(row.within)}`,
    )
    rows.push(row)
  }
  return { budgets: SHARES.length, valid: long.length, broken: broken.length, rows }
}

export async function rowOf(
  compactor: Compactor,
  valid: readonly (readonly Plain[])[],
  broken: readonly Pick<Trial, 'history'>[],
): Promise<CompactionRow> {
  const { name, version, usage } = compactor
  const counts = { valid: zero(), broken: zero(), within: zero(), giantTurn: zero(), silentlyOver: 0 }
  for (const history of valid) for (const share of SHARES) await tried(compactor, history, share, 'valid', counts)
  for (const { history } of broken)
    for (const share of SHARES) await tried(compactor, history as readonly Plain[], share, 'broken', counts)
  for (const share of GIANT) await giant(compactor, share, counts.giantTurn)
  const failingSummary = await failed(compactor, valid[0]!)
  return { name, version, usage, ...counts, failingSummary, prefixKept: await prefixKept(compactor, valid) }
}

type Count = { kept: number; of: number }

interface Counts {
  readonly valid: Count
  readonly broken: Count
  readonly within: Count
  silentlyOver: number
}

async function tried(
  compactor: Compactor,
  history: readonly Plain[],
  share: number,
  kind: 'valid' | 'broken',
  counts: Counts,
): Promise<void> {
  const budget = Math.ceil(tokensOf(history) * share)
  const done = await attempted(compactor, history, budget)
  const isValid = done !== undefined && isAccepted(done)
  count(counts[kind], isValid)
  if (!isValid) return
  const isWithin = tokensOf(done.plain) <= Math.max(budget, leastOf(history))
  count(counts.within, isWithin)
  if (!isWithin && done.fits !== false) counts.silentlyOver++
}

/** What no compaction can go below: the last prompt with what follows it, and a note about what is gone. */
function leastOf(history: readonly Plain[]): number {
  const at = history.findLastIndex(({ role }) => role === 'user')
  return tokensOf(history.slice(Math.max(0, at))) + NOTE
}

const NOTE = 300

async function attempted(compactor: Compactor, history: readonly Plain[], budget: number) {
  try {
    return await compactor.compact(structuredClone(history), budget)
  } catch {
    return undefined
  }
}

function isAccepted({ plain, messages }: Compacted): boolean {
  if (plain.length === 0 || plain.some((message) => message === undefined)) return false
  return asked.every((target) => {
    const { provider, endpoint, model, wire } = target
    const body = requestOf(messages?.(target) ?? wire.to(plain, true), plain, target)
    return judge({ provider, endpoint, model, body }).accepted
  })
}

/** One prompt, then twenty rounds: the prompt has to stay, and the result has to be smaller and valid. */
async function giant(compactor: Compactor, share: number, sum: Count): Promise<void> {
  const prompt: Plain = { role: 'user', content: 'Rename the option in every file of this folder, one file at a time.' }
  const history: Plain[] = [prompt]
  for (let i = 0; i < 20; i++) {
    const id = `call${String(i).padStart(5, '0')}`
    history.push(assistant(`File ${i}.`, [call(id, 'read', { path: `src/${i}.ts` })]))
    history.push({ role: 'tool', tool_call_id: id, content: `file ${i}: ${'a line of the file\n'.repeat(60)}` })
  }
  const budget = Math.ceil(tokensOf(history) * share)
  const done = await attempted(compactor, history, budget)
  const isKept = done !== undefined && isAccepted(done) && keptOf([prompt], done.plain).texts.kept === 1
  count(sum, isKept && tokensOf(done.plain) <= budget)
}

async function failed({ failing }: Compactor, history: readonly Plain[]) {
  if (!failing) return 'no model'
  const after = await failing(structuredClone(history), Math.ceil(tokensOf(history) / 2)).catch(() => history)
  return canonical(after) === canonical(history) ? 'unchanged' : 'changed'
}

/** After the next round, the request begins with so much of the one before. */
async function prefixKept(compactor: Compactor, histories: readonly (readonly Plain[])[]): Promise<number> {
  const random = new Random(1)
  let [same, all] = [0, 0]
  for (const history of histories) {
    const budget = Math.ceil(tokensOf(history) * 0.6)
    const next: Plain[] = [
      assistant(`Done ${random.below(1000)}.`, []),
      { role: 'user', content: 'And now the next one, please.' },
    ]
    const first = await attempted(compactor, history, budget)
    const then = first && (await attempted(compactor, [...first.plain, ...next], budget))
    if (!first || !then) continue
    const [before, after] = [canonical(first.plain).slice(0, -1), canonical(then.plain)]
    let i = 0
    while (i < before.length && before[i] === after[i]) i++
    same += i
    all += before.length
  }
  return all === 0 ? 0 : Math.round((100 * same) / all)
}

function zero(): Count {
  return { kept: 0, of: 0 }
}

function count(sum: Count, holds: boolean): void {
  sum.of++
  if (holds) sum.kept++
}

function text({ kept, of }: Share): string {
  return `${kept}/${of}`
}
