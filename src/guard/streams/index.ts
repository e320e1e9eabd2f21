/** Responses: inspected, followed, passed on. */
export type { BodyContent } from './buffered-response.ts'
export { type ByteSource, type CollectedBytes, isBlank, whenLate } from './byte-source.ts'
export { isNoResponse, noResponse, streamCut } from './connection-errors.ts'
export { countingTokens } from './count-tokens.ts'
export { IdleTimeoutError, sendWithIdleTimeout } from './idle-timeout.ts'
export { type InspectedResponse, inspectResponse, type ReplyListener } from './inspect-response.ts'
export { ResponseSource, responseOf } from './response.ts'
export type { StreamOptions } from './stream-guard.ts'
