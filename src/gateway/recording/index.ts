/** Sessions of requests: finding them, recording, append mode. */
export { checkedBranchId, checkedId } from './session-ids.ts'
export { checkUnread, handleSessionRequest, sessionRequestOf } from './session-request.ts'
export { type SessionInfo, Sessions } from './sessions.ts'
export { withDeadline } from './store-deadline.ts'
export { unrecorded } from './store-reply.ts'
