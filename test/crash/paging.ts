/**
 * Row 10: pages are read while others append, revert and replace. Joined they are one state of the conversation, or the
 * cursor is stale.
 */

import { isSutureError } from '../../src/core/index.ts'
import { memoryStore } from '../../src/session.ts'
import { openSession, turns } from '../untyped-api.ts'
import { below, type Outcome, type Random, randomOf, Tally } from './matrix-row.ts'
import { doings, openScene, type Scene } from './operations.ts'
import { builders } from './tagged-messages.ts'

const between = ['turn', 'call', 'results', 'prompt', 'abort', 'propose', 'replace', 'revert', 'undo']
/** These change earlier messages, so a cursor may become stale. */
const changing = new Set(['replace', 'revert', 'undo'])

export async function pagingRow({ runs, seed }: { readonly runs: number; readonly seed: number }): Promise<Outcome> {
  const tally = new Tally()
  let stale = 0
  for (let run = 0; run < runs; run++) {
    const ended = await onePaging(randomOf(seed + run), Object.keys(builders)[run % 2]!, `seed ${seed + run}`, tally)
    if (ended === 'stale') stale++
    tally.tried++
  }
  const about = { row: 10, title: 'pages read while the conversation changes', engine: 'memory', mode: '-' }
  return tally.outcome({
    ...about,
    notes: `seed ${seed}; ${stale} cursors reported that the conversation was reverted`,
  })
}

async function onePaging(random: Random, dialect: string, where: string, tally: Tally): Promise<'whole' | 'stale'> {
  const builder = builders[dialect]!
  const store = memoryStore()
  const scene: Scene = { store, builder, random, opening: { file: '' }, session: await openScene(store, 's', builder) }
  for (let i = 0; i < 6 + below(random, 12); i++) await doings[between[below(random, 5)]!]!(scene, `b${i}`)
  // Reader and writer are different objects, as in two requests to a server.
  const reader = await openSession(store, 's', { provider: builder.provider, dialect })
  const wanted = await reader.raw()
  const from = random() < 0.5 ? 'newest' : 'oldest'
  const size = 1 + below(random, 9)
  const pages: (readonly unknown[])[] = []
  let cursor: string | undefined
  let changed = false
  for (let i = 0; i === 0 || cursor !== undefined; i++) {
    try {
      const page = await reader.page({ from, size, ...(cursor === undefined ? {} : { cursor }) })
      pages.push(page.messages)
      cursor = page.cursor
    } catch (error) {
      if (!isSutureError(error, 'stale-cursor')) throw error
      if (!changed) tally.spoil(`${where}: a cursor ended though nothing was taken back`)
      return 'stale'
    }
    const doing = between[below(random, between.length)]!
    const before = scene.session.head
    await doings[doing]!(scene, `c${i}`)
    changed ||= changing.has(doing) && scene.session.head > before
    await reader.refresh()
  }
  compare(from === 'newest' ? pages.reverse() : pages, wanted, dialect, where, tally)
  return 'whole'
}

function compare(
  pages: readonly (readonly unknown[])[],
  wanted: readonly unknown[],
  dialect: string,
  where: string,
  tally: Tally,
): void {
  if (JSON.stringify(pages.flat()) !== JSON.stringify(wanted)) {
    tally.spoil(`${where}: the pages are not what was said when the first was read`)
    return
  }
  const starts = new Set(turns(wanted, { dialect }).map(({ start }) => start))
  let at = 0
  for (const page of pages) {
    if (at > 0 && page.length > 0 && !starts.has(at)) tally.spoil(`${where}: a page begins inside a turn, at ${at}`)
    at += page.length
  }
}
