/** Who may send what: hosts, keys, rates, memory. */
export { HostCheck } from './host-check.ts'
export { type Caller, credentialFor, hashOf, type KeyOptions, Keys } from './keys.ts'
export { KeyMask, MaskingStream } from './mask-keys.ts'
export { BodyBuffer, MemoryHold, overloaded, tooLarge } from './memory-budget.ts'
export { RateLimit } from './rate-limit.ts'
