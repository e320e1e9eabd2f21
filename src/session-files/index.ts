/**
 * Session files of agents: which format a file is in, what its next request will contain, what is wrong with it, and a
 * repair plan. Bytes in, bytes out; finding, locking and writing files is in `node/`.
 */
export { type ApplyOptions, applyChanges } from './apply-changes.ts'
export { newRollout as newCodexRollout } from './codex/index.ts'
export { formats } from './formats.ts'
export { formatById, formatFor, locate, openSessionFile, recognize } from './open.ts'
export { checkSessionFile, planRepair } from './plan.ts'
export { checkWritten } from './promise.ts'
export { recordBytes } from './record-draft.ts'
export {
  type Envelope,
  type SalvagedFile,
  type SalvagedRecord,
  type SalvageItem,
  type SalvageOptions,
  SalvageStream,
  salvage,
} from './salvage/index.ts'
export type * from './types.ts'
export { type Checked, type FileVerdict, unreadText, type Verdict, verdictOf } from './verdict.ts'
