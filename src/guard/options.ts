/**
 * What a guard can be told, and what it keeps from one request to the next.
 */
import { type Cause, type Policy, SutureError, type Target } from '../core/index.ts'
import type { Reply, ReplyUsage } from '../core/reply.ts'
import { type Memory, shrinkMemory } from '../strategies/shrink-memory.ts'
import { type Endpoint, type Naming, providerNamed } from './endpoint.ts'
import type { About, GuardEvent } from './events.ts'
import { pause } from './pause.ts'
import type { RecoveryOptions } from './recoveries/index.ts'
import { RetryBudget } from './retry-budget.ts'
import type { Telemetry } from './telemetry.ts'

/** `off` pass on · `lint` look and tell · `repair` mend before sending · `recover` and do something about refusals. */
export type Mode = (typeof modes)[number]
export const modes = ['off', 'lint', 'repair', 'recover'] as const

export interface GuardOptions {
  /** How far it goes; `recover` unless told. The request header `suture` says it for one request. */
  readonly mode?: Mode
  /** Who serves addresses that Suture does not know; wins over what the host says. */
  readonly provider?: Naming
  /** Where the path does not say it. */
  readonly dialect?: string
  /** Where neither body nor path names it. */
  readonly model?: string
  /** A failure of Suture's own stops the request instead of letting it through as it came. */
  readonly strict?: boolean
  /** How histories are mended, as in `repair`: `strict` there mends what is only assumed too. */
  readonly repair?: {
    readonly strict?: boolean
    readonly policy?: Partial<Policy>
    readonly cause?: Cause
  }
  readonly recovery?: RecoveryOptions
  /** How often one request is sent at most. 8 unless told. */
  readonly most?: number
  /** Bytes of the longest frame of a stream; behind a longer one it ends in an error. 64 MiB unless told. */
  readonly longestFrame?: number
  /** Bytes of the longest answer that is read whole before it is passed on; a longer one is passed on unread, as it comes. Default: none. */
  readonly longestAnswer?: number
  /** Milliseconds without a byte of the provider's after which a request or its answer counts as broken off. No limit unless told. */
  readonly longestSilence?: number
  /** Decisions about results that were shrunk; shared by guards that serve one conversation. */
  readonly memory?: Memory
  /** How a wait is waited out; a timer unless told. */
  readonly wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** May be async: it is not waited for, and its failure stops nothing. The same holds for `onReply`. */
  readonly onEvent?: (event: GuardEvent) => void
  /** Every answer, put together: whole or as far as it came. Its calls may only be run when it is complete. */
  readonly onReply?: (reply: Reply, about: About) => void
  /** `@opentelemetry/api`, or false. Unless told: the one that is registered in this process, if any. */
  readonly telemetry?: Telemetry | false
}

/** Is told of one request. */
export interface Ear {
  heard(event: GuardEvent): void
  /** Tokens that the provider reported with its answer. */
  counted?(usage: ReplyUsage): void
}

/** What one guard keeps: options that were checked once, and the count of its requests. */
export interface Settings extends GuardOptions {
  readonly mode: Mode
  readonly memory: Memory
  readonly most: number
  readonly wait: NonNullable<GuardOptions['wait']>
  readonly budget: RetryBudget
  /** How many requests there were, and what is repaired for whom. */
  readonly seen: { requests: number; readonly targets: WeakMap<Endpoint, Target> }
}

export function settle(options: GuardOptions): Settings {
  const { mode = 'recover', provider, most = 8 } = options
  if (!isMode(mode))
    throw new SutureError('bad-option', `There is no mode "${String(mode)}". It is one of ${modes.join(', ')}.`, {
      mode,
    })
  if (!Number.isInteger(most) || most < 1)
    throw new SutureError('bad-option', `A request is sent at least once: \`most\` is a number from 1.`, { most })
  const { longestFrame } = options
  if (longestFrame !== undefined && !(longestFrame > 0))
    throw new SutureError('bad-option', 'A frame has some bytes: `longestFrame` is a number above 0.', { longestFrame })
  const { longestAnswer } = options
  if (longestAnswer !== undefined && !(longestAnswer > 0))
    throw new SutureError('bad-option', '`longestAnswer` is a number of bytes above 0.', { longestAnswer })
  const { longestSilence } = options
  if (longestSilence !== undefined && !(longestSilence > 0))
    throw new SutureError('bad-option', 'Some time must pass: `longestSilence` is a number of ms above 0.', {
      longestSilence,
    })
  if (typeof provider === 'string') providerNamed(provider)
  return {
    ...options,
    mode,
    most,
    wait: options.wait ?? pause,
    budget: new RetryBudget(),
    memory: options.memory ?? shrinkMemory(),
    seen: { requests: 0, targets: new WeakMap() },
  }
}

/** What the header of one request says; another word is no mode and changes nothing. */
export function modeOf(header: string | null | undefined, settings: Settings): Mode {
  const word = header?.trim().toLowerCase()
  if (word === 'on') return settings.mode === 'off' ? 'recover' : settings.mode
  return word !== undefined && isMode(word) ? word : settings.mode
}

function isMode(word: unknown): word is Mode {
  return (modes as readonly unknown[]).includes(word)
}

/** Tells whoever listens; `ear`: to this request only. Who only listens must not be able to stop a request. */
export function notify({ onEvent, strict }: Settings, event: GuardEvent, ear?: Ear): void {
  try {
    unawaited(onEvent?.(event))
    ear?.heard(event)
  } catch (error) {
    if (strict) throw error
  }
}

/** What a listener returns: one that is async and fails must not end the process. */
export function unawaited(returned: unknown, failed: (error: unknown) => void = () => {}): void {
  if (typeof (returned as PromiseLike<unknown> | undefined)?.then !== 'function') return
  Promise.resolve(returned).catch(failed)
}
