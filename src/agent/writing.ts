/**
 * What a turn writes into its session beside results.
 */
import { isSutureError, type Part } from '../core/index.ts'
import type { Session } from '../session/index.ts'
import type { TurnEvent, TurnOptions } from './types.ts'

/** Adds messages behind what this turn has seen. A late result that came in between is no reason to lose them; anything else is. */
export async function append(session: Session, messages: readonly unknown[], incomplete = false): Promise<void> {
  for (;;) {
    const seen = session.head
    try {
      await session.append(messages, incomplete ? { incomplete } : {})
      return
    } catch (error) {
      if (!isSutureError(error, 'conflict') || (await session.refresh()) === seen) throw error
      const since = (await session.entries()).filter(({ position }) => position > seen)
      if (!since.every(({ message }) => isResults(session, message))) throw error
    }
  }
}

function isResults(session: Session, message: unknown): boolean {
  const parts: Part[] = []
  session.wiring.service.dialect.read(message, 0, parts)
  return parts.length > 0 && parts.every(({ kind }) => kind === 'result')
}

/** Whether the view got shorter. A compaction that fails is told and changes nothing. */
export async function compact(
  session: Session,
  options: TurnOptions,
  why: 'step' | 'too-long',
  tell: (event: TurnEvent) => void,
): Promise<boolean> {
  if (!options.compact) return false
  try {
    const view = await session.view()
    const done = await options.compact(view, why)
    if (!done || done.patch.length === 0) return false
    await session.replace(done.patch, { by: 'compaction', why, upTo: view.upTo, prefixHash: view.prefixHash })
    tell({ type: 'compacted', report: done.report, failed: false })
    return true
  } catch (error) {
    tell({ type: 'compacted', report: String(error), failed: true })
    return false
  }
}
