/**
 * The settings of the guard inside a gateway: stream frames are bounded more tightly, and `wait` gets a real `AbortSignal`.
 */
import { type GuardOptions, resolveOptions, type Settings } from '../guard/transport.ts'
import { realSignal } from './http/index.ts'
import type { GatewayOptions, Limits } from './options.ts'

const MAX_FRAME_BYTES = 16 * 1024 * 1024

/** All options of a guard, so that the settings have one shape whatever was passed. */
const EMPTY_OPTIONS: object = {
  provider: undefined,
  dialect: undefined,
  model: undefined,
  failClosed: undefined,
  repair: undefined,
  recovery: undefined,
  signatureMemory: undefined,
  onEvent: undefined,
  onReply: undefined,
  telemetry: undefined,
}

export function guardSettings(options: GatewayOptions, limits: Limits): Settings {
  return { ...EMPTY_OPTIONS, ...resolveOptions(guardOptions(options, limits)) }
}

function guardOptions({ guard = {} }: GatewayOptions, { maxResponseBytes }: Limits): GuardOptions {
  const { wait } = guard
  const waits = wait && { wait: (ms: number, signal?: AbortSignal) => wait(ms, realSignal(signal)) }
  return { maxFrameBytes: MAX_FRAME_BYTES, maxResponseBytes, ...guard, ...waits }
}
