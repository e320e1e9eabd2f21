/**
 * Applies to a request what earlier requests of its conversation needed, before it is first sent: the same results
 * shrunk to the same bytes, the same cut, the same stricter repair, the same settings. Otherwise every request would be
 * rejected once more, and a prompt cache would never hit.
 */
import { shrinkAgain } from '../../strategies/shrink.ts'
import { unknownVersions } from '../versions.ts'
import { rememberedRepairs } from './accepted-repairs.ts'
import { reapplySettings } from './accepted-settings.ts'
import { reapplyCuts } from './cut-history.ts'
import { reapplyDrops } from './drop-round.ts'
import { historyOf, rebindReasoning, repairStrictly, withHistory } from './stricter-repair.ts'
import type { Recovered, RequestToSend } from './types.ts'

/** Called after the first repair and before the first send; undefined: nothing to do. */
export function reapply(before: RequestToSend): Recovered | undefined {
  const { service, memory } = before
  if (memory.empty) return undefined
  const again = shrinkAgain(historyOf(before), { dialect: service.dialect, memory })
  const less = reapplyDrops({ ...before, body: withHistory(before, again.history) })
  const cut = reapplyCuts({ ...before, body: less.body })
  const note = rememberedRepairs({ ...before, body: cut.body })
  const versions = () => unknownVersions(before.headers, before.body)
  const strictly = note && repairStrictly({ ...before, body: cut.body }, note, versions)
  const repaired = strictly?.body ?? cut.body
  // A setting is not an edit: signatures are not affected.
  const held = repaired === before.body ? { body: repaired } : rebindReasoning({ ...before, body: repaired })
  const set = reapplySettings({ ...before, body: held.body })
  if (set.body === before.body) return undefined
  const fields = strictly && strictly.fields.length > 0 ? { fields: strictly.fields } : {}
  const rounds = less.rounds.length > 0 ? { rounds: less.rounds } : {}
  const done = { shrunk: again.ids, dropped: cut.dropped, ...rounds }
  const report = { ...done, rejectedBy: note?.rejectedBy ?? [], ...fields, ...set.report }
  return { id: 'reapply', ...held, body: set.body, report }
}
