/**
 * The settings of the guard inside a gateway: stream frames are bounded more tightly, and `wait` gets a real
 * `AbortSignal`.
 */
import { GUARD_OPTIONS } from '../guard/options.ts'
import { resolveOptions, type Settings } from '../guard/transport.ts'
import { realSignal } from './http/index.ts'
import type { GatewayOptions, Limits } from './options.ts'

const MAX_FRAME_BYTES = 16 * 1024 * 1024

/** All options of a guard, so that the settings have one shape whatever was passed. */
const EMPTY_OPTIONS: object = Object.fromEntries(Object.keys(GUARD_OPTIONS).map((name) => [name, undefined]))

export function guardSettings({ guard = {} }: GatewayOptions, { maxResponseBytes }: Limits): Settings {
  const { wait } = guard
  const waits = wait && { wait: (ms: number, signal?: AbortSignal) => wait(ms, realSignal(signal)) }
  const settings = resolveOptions({ maxFrameBytes: MAX_FRAME_BYTES, maxResponseBytes, ...guard, ...waits })
  return { ...EMPTY_OPTIONS, ...settings }
}
