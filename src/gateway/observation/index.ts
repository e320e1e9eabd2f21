/** Log, metrics, events, traces. */
export { type Count, Metrics } from './metrics.ts'
export { RequestEvents } from './request-events.ts'
export { RequestLog } from './request-log.ts'
export { RequestSpan, spanOf } from './tracing.ts'
