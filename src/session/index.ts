/** Sessions: an append-only log and the views on it. Given a provider and a store. */

export type { Appended, AppendOptions } from './append-records.ts'
export type { MessageRow } from './message-reader.ts'
export { callKey, type OpenCall } from './open-round.ts'
export type { Page, PageOptions } from './page.ts'
export { RawMessage } from './raw-message.ts'
export type { Author, MarkBody, MessageBody, PatchBody, UndoBody } from './record.ts'
export type { Replacement } from './replaced-messages.ts'
export { openSession, Session } from './session.ts'
export type {
  AbortOptions,
  ChangeOptions,
  LoggedMessage,
  Opened,
  ReplaceOptions,
  Replay,
  SessionOptions,
  UndoOptions,
} from './session-options.ts'
export { sha256 } from './sha256.ts'
export {
  type Answer,
  type Base,
  type Batch,
  chain,
  type Draft,
  digestOf,
  EMPTY_HEAD,
  type Entry,
  type Head,
  type Kind,
  type Lineage,
  type Store,
} from './store.ts'
export type { Damage, Verified } from './verify.ts'
export type { Spelled, View, Wiring } from './view.ts'
