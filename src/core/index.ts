/** What a history, an edit, a rule and a repair are. Imports nothing: dialect, constraints and rules are arguments. */
export { align } from './align.ts'
export { type Cause, causes, isSynthetic, textOf as causeText } from './cause.ts'
export { changedRounds, changedRoundsOf } from './changed-rounds.ts'
export {
  type Constraint,
  type ConstraintBase,
  type ConstraintTable,
  type Evidence,
  type Provider,
  type Service,
  type Severity,
  severityOf,
} from './constraint.ts'
export { type Converted, convertMessages, convertParts, type Names } from './convert.ts'
export type { Change, Dialect, MediumKind, NativeMedia } from './dialect.ts'
export { diffMessages, sharedEnds } from './diff.ts'
export { apply, type Edit, invert, type Patch } from './edit.ts'
export {
  type ErrorCode,
  type ErrorCodes,
  type ErrorDetails,
  isSutureError,
  SutureError,
  type SutureErrorOf,
} from './error.ts'
export type { Fix, Step } from './fix.ts'
export { hash } from './hash.ts'
export {
  copyOf,
  equal,
  isObject,
  isTooDeep,
  type JsonObject,
  nearKey,
  own,
  type Path,
  plainKey,
  pointer,
  put,
  sortedKeys,
  valueAt,
  withKey,
  withValueAt,
} from './json.ts'
export { isHolder, isWellFormedDeep } from './key-index.ts'
export { asArguments, isAbsent } from './loose-arguments.ts'
export { looseText } from './loose-text.ts'
export type { MessageOf } from './message-of.ts'
export type { CallPiece, MediaPiece, NeutralForm, Piece, ResultPiece, TextPiece } from './neutral.ts'
export { orUndefined } from './or-undefined.ts'
export type { Pairing } from './pairing.ts'
export {
  HAS_CALL,
  HAS_OTHER,
  HAS_REASONING,
  HAS_RESULT,
  type MessageFlags,
  Part,
  type PartKind,
  placeOf,
  ROLE,
  type Role,
  signed,
} from './part.ts'
export type { Policy } from './policy.ts'
export { type ProviderPairing, pairingSeverity, providerFaults } from './provider-pairing.ts'
export { lint, type Repaired, repair, type Target } from './repair.ts'
export type {
  Frame,
  Reply,
} from './reply.ts'
export {
  type About,
  type Bound,
  type ConstraintOf,
  defineAfterRejection,
  defineRule,
  type Explanation,
  type Finding,
  type NoParams,
  type Phase,
  type Report,
  type ReportOptions,
  type Rule,
} from './rule.ts'
export { hasSpelling, jsonText, parseJson, rememberNumbers, tryJsonText, tryParseJson } from './spelling.ts'
export { type MessageReading, type Place, readMessage, Transcript } from './transcript.ts'
export {
  type Group,
  groupAt,
  rounds,
  roundsOf,
  type Split,
  type SplitOptions,
  split,
  splitTranscript,
  turns,
} from './turns.ts'
export { firstUnknown, type Known, unknownBeside } from './understood.ts'
export type { UnmatchedResult } from './unmatched-results.ts'
export { wordOf } from './word.ts'
export { tooManyFindings } from './work-limit.ts'
