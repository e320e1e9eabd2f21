/**
 * Options of a guard, and the state that it keeps between requests.
 */
import { type Cause, causes, isObject, type Policy, SutureError, type Target } from '../core/index.ts'
import { checkOptions, given, nested, type OptionTable, suggest, unknownName } from '../core/options.ts'
import type { Reply, ReplyUsage } from '../core/reply.ts'
import { providers } from '../providers/index.ts'
import { type Memory, shrinkMemory } from '../strategies/shrink-memory.ts'
import { type Endpoint, type ProviderChoice, providerNamed } from './endpoint.ts'
import type { EventContext, GuardEvent } from './events.ts'
import { pause } from './pause.ts'
import { RECOVERY_OPTIONS, type RecoveryOptions } from './recoveries/types.ts'
import { RetryBudget } from './retry-budget.ts'
import { SignatureMemory } from './signature-memory/index.ts'
import type { Telemetry } from './telemetry.ts'

/** `off` pass on · `lint` report only · `repair` before sending · `recover` also after a rejection. */
export type Mode = (typeof modes)[number]
export const modes = ['off', 'lint', 'repair', 'recover'] as const

export interface GuardOptions {
  /** Default: `recover`. The request header `suture` sets it for one request. */
  readonly mode?: Mode
  /** Who serves addresses that Suture does not know; wins over what the host says. */
  readonly provider?: ProviderChoice
  /** Where the path does not say it. */
  readonly dialect?: string
  /** Where neither body nor path names it. */
  readonly model?: string
  /** A failure of Suture's own stops the request instead of letting it through as it came. */
  readonly failClosed?: boolean
  /** Options of `repair`: `strict` also fixes what is only assumed. */
  readonly repair?: {
    readonly strict?: boolean
    readonly policy?: Partial<Policy>
    readonly cause?: Cause
  }
  readonly recovery?: RecoveryOptions
  /** How often one request is sent at most. Default: 8. */
  readonly maxAttempts?: number
  /** A stream with a longer frame is broken off. Default: 64 MiB. */
  readonly maxFrameBytes?: number
  /** Bytes of the longest answer that is read whole before it is passed on; a longer one is passed on unread, as it comes. Default: none. */
  readonly maxResponseBytes?: number
  /** Abort if no byte arrives from the provider for this many milliseconds. Default: none. */
  readonly idleTimeoutMs?: number
  /** Decisions about results that were shrunk; shared by guards that serve one conversation. */
  readonly memory?: Memory
  /** Keep reasoning and signatures by call, and restore them where the client drops them. Default: false. */
  readonly signatureMemory?: boolean
  /** Waits between two attempts. Default: a timer. */
  readonly wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** May be async: it is not waited for, and its failure stops nothing. The same holds for `onReply`. */
  readonly onEvent?: (event: GuardEvent) => void
  /** Every answer, put together: whole or as far as it came. Its calls may only be run when it is complete. */
  readonly onReply?: (reply: Reply, about: EventContext) => void
  /** `@opentelemetry/api`, or false. Default: the API that is registered in this process, if any. */
  readonly telemetry?: Telemetry | false
}

const REPAIR: OptionTable<NonNullable<GuardOptions['repair']>> = { strict: 'boolean', policy: 'object', cause: causes }

/** The limits are checked by `checkLimit`. */
export const GUARD_OPTIONS: OptionTable<GuardOptions> = {
  mode: modes,
  provider: isProviderChoice,
  dialect: 'string',
  model: 'string',
  failClosed: 'boolean',
  repair: nested('guard.repair', REPAIR),
  recovery: nested('guard.recovery', RECOVERY_OPTIONS),
  maxAttempts: 'any',
  maxFrameBytes: 'any',
  maxResponseBytes: 'any',
  idleTimeoutMs: 'any',
  memory: 'object',
  signatureMemory: 'boolean',
  wait: 'function',
  onEvent: 'function',
  onReply: 'function',
  telemetry: 'any',
}

/** Gets the events of one request. */
export interface Listener {
  onEvent(event: GuardEvent): void
  /** Tokens that the provider reported with its answer. */
  onUsage?(usage: ReplyUsage): void
}

/** What one guard keeps: options that were checked once, and the count of its requests. */
export interface Settings extends GuardOptions {
  readonly mode: Mode
  readonly memory: Memory
  readonly maxAttempts: number
  readonly wait: NonNullable<GuardOptions['wait']>
  readonly budget: RetryBudget
  readonly signatures: SignatureMemory | undefined
  /** How many requests there were, and what is repaired for whom. */
  readonly state: { requests: number; readonly targets: WeakMap<Endpoint, Target> }
}

/** Checks the options, once for a guard. `table`: those that this entry point takes. */
export function resolveOptions(
  options: GuardOptions,
  of = 'guard',
  table: OptionTable<object> = GUARD_OPTIONS,
): Settings {
  checkOptions(of, options, table)
  const { mode = 'recover', provider, maxAttempts = 8 } = options
  for (const name of LIMITS) checkLimit(name, options[name])
  if (typeof provider === 'string') providerNamed(provider)
  if (options.dialect !== undefined) checkDialect(options.dialect, provider)
  return {
    ...options,
    mode,
    maxAttempts,
    wait: options.wait ?? pause,
    budget: new RetryBudget(),
    signatures: options.signatureMemory ? new SignatureMemory() : undefined,
    memory: options.memory ?? shrinkMemory(),
    state: { requests: 0, targets: new WeakMap() },
  }
}

const LIMITS = ['maxAttempts', 'maxFrameBytes', 'maxResponseBytes', 'idleTimeoutMs'] as const
const EXPECTED = {
  maxAttempts: 'an integer from 1',
  maxFrameBytes: 'a number of bytes above 0',
  maxResponseBytes: 'a number of bytes above 0',
  idleTimeoutMs: 'a number of milliseconds above 0',
}

function checkLimit(name: (typeof LIMITS)[number], value: unknown): void {
  if (value === undefined) return
  const isLimit = name === 'maxAttempts' ? Number.isInteger(value) && Number(value) >= 1 : Number(value) > 0
  if (typeof value === 'number' && isLimit) return
  const message = `\`${name}\` must be ${EXPECTED[name]}, but got ${given(value)}. Correct it or leave it out.`
  throw new SutureError('bad-option', message, { name })
}

function isProviderChoice(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'function') return undefined
  const isProvider = isObject(value) && Array.isArray(value['serves'])
  return isProvider ? undefined : 'the id of a provider, a provider object, or a function of the address'
}

/** With a dialect that no provider serves, the guard would pass everything on unread. */
function checkDialect(dialect: string, provider: ProviderChoice | undefined): void {
  const own = typeof provider === 'object' ? [provider] : []
  const ids = [...new Set([...own, ...providers].flatMap(({ serves }) => serves.map((one) => one.dialect.id)))]
  if (!ids.includes(dialect)) throw unknownName('dialect', dialect, ids, ' of guard')
}

/** What the `suture` header of one request says. Another word is an error: what the caller meant would not be done. */
export function modeOf(header: string | null | undefined, settings: Settings): Mode {
  const word = header?.trim().toLowerCase()
  if (word === undefined) return settings.mode
  if (word === 'on') return settings.mode === 'off' ? 'recover' : settings.mode
  if (isMode(word)) return word
  const words = ['on', ...modes]
  const near = suggest(word, words)
  throw new SutureError(
    'bad-option',
    `The header "suture" must be one of ${words.join(', ')}, but got ${given(word)}.${near ? ` Did you mean "${near}"?` : ''}`,
    { header: 'suture' },
  )
}

function isMode(word: unknown): word is Mode {
  return (modes as readonly unknown[]).includes(word)
}

/** Calls the listeners; `listener`: the one of this request. A failing listener must not stop a request. */
export function notify({ onEvent, failClosed }: Settings, event: GuardEvent, listener?: Listener): void {
  try {
    ignoreOutcome(onEvent?.(event))
    listener?.onEvent(event)
  } catch (error) {
    if (failClosed) throw error
  }
}

/** What a listener returns: one that is async and fails must not end the process. */
export function ignoreOutcome(returned: unknown, failed: (error: unknown) => void = () => {}): void {
  if (typeof (returned as PromiseLike<unknown> | undefined)?.then !== 'function') return
  Promise.resolve(returned).catch(failed)
}
