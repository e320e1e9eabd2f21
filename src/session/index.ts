/** Sessions: an append-only log and the views on it. Given a provider and a store. */
export type { Row } from './lines.ts'
export type { Page, PageOptions } from './page.ts'
export { RawMessage } from './raw.ts'
export type { Opened, Replay, Said, SessionOptions } from './reader.ts'
export type { Author, MarkBody, MessageBody, PatchBody, UndoBody } from './record.ts'
export { openSession, Session } from './session.ts'
export type { AbortOptions, Place, ReplaceOptions, UndoOptions } from './session-options.ts'
export { sha256 } from './sha256.ts'
export {
  type Answer,
  type Batch,
  chain,
  type Draft,
  digestOf,
  type Entry,
  type Head,
  type Kind,
  NOBODY,
  type Store,
} from './store.ts'
export { callKey, type OpenCall } from './tail.ts'
export type { Damage, Verified } from './verify.ts'
export type { Spelled, View, Wiring } from './view.ts'
export type { Appended, AppendOptions } from './writing.ts'
