/**
 * What a history, an edit, a rule and a repair are. Imports nothing: dialect, laws and rules come in as arguments.
 */
export { type Cause, causes, isSynthetic, textOf as causeText } from './cause.ts'
export type { Change, Dialect } from './dialect.ts'
export { apply, type Edit, invert, type Patch } from './edit.ts'
export { type ErrorCode, type ErrorCodes, isSutureError, SutureError } from './error.ts'
export type { Found, Place, Policy } from './found.ts'
export { CUT, type Group, groupAt, namesAt, rounds, type Split, type SplitOptions, split, turns } from './groups.ts'
export {
  copyOf,
  equal,
  isObject,
  type JsonObject,
  own,
  type Path,
  pointer,
  put,
  valueAt,
  withKey,
  withValueAt,
} from './json.ts'
export { type Evidence, type Law, type Laws, type Provider, type Service, type Severity, severityOf } from './law.ts'
export type { Look, Quiet } from './look.ts'
export { Pairing } from './pairing.ts'
export {
  HAS_CALL,
  HAS_OTHER,
  HAS_REASONING,
  HAS_RESULT,
  type Outline,
  outlineOf,
  type Part,
  type PartKind,
  placeOf,
  ROLE,
  type Role,
  roleOf,
} from './part.ts'
export { lint, type Repaired, repair, type Target } from './repair.ts'
export type {
  Assembler,
  BrokenCall,
  Frame,
  Framing,
  Reply,
  ReplyCall,
  ReplyFailure,
  ReplyForm,
  ReplyUsage,
} from './reply.ts'
export {
  type Bound,
  type Checks,
  defineRule,
  type Explanation,
  type Finding,
  type MessageView,
  type PartCheck,
  type Remedy,
  type Rule,
  type Step,
  silent,
  speaksOf,
} from './rule.ts'
export { EMPTY } from './sequence.ts'
export { jsonText, parseJson, rememberNumbers } from './spelling.ts'
export type { Stray } from './strays.ts'
export type { Walk } from './walk.ts'
