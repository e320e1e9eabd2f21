/** Options of a guard, and the state that it keeps between requests. */
import { type Cause, causes, type Dialect, isObject, type Policy, SutureError } from '../core/index.ts'
import { checkOptions, given, nested, type OptionTable, suggest, unknownName } from '../core/options.ts'
import type { Reply, ReplyUsage } from '../core/reply.ts'
import type { DialectId } from '../dialects/index.ts'
import { providers } from '../providers/index.ts'
import { type Memory, shrinkMemory } from '../strategies/shrink-memory.ts'
import { type ProviderChoice, providerNamed } from './endpoint.ts'
import type { EventContext, GuardEvent } from './events.ts'
import { pause } from './pause.ts'
import { RECOVERY_OPTIONS, type RecoveryOptions } from './recoveries/types.ts'
import { RetryBudget } from './retry-budget.ts'
import { SignatureMemory } from './signature-memory/index.ts'
import type { Telemetry } from './telemetry.ts'

/** `off` pass on · `lint` report only · `repair` before sending · `recover` also after a rejection. */
export type GuardLevel = (typeof levels)[number]
export const levels = ['off', 'lint', 'repair', 'recover'] as const

/** Options of a guard. */
export interface GuardOptions {
  /** Default: `recover`. The request header `suture` sets it for one request. */
  readonly level?: GuardLevel
  /** The provider of hosts that Suture does not know. Wins over the provider of the host. */
  readonly provider?: ProviderChoice
  /** The dialect, if the path does not identify it: an id, or a dialect object of your own. */
  readonly dialect?: DialectId | Dialect
  /** The model, if neither body nor path names it. */
  readonly model?: string
  /** A failure inside Suture stops the request instead of sending it unchanged. Default: false. */
  readonly failClosed?: boolean
  /** Options of `repair`, for all repairs of this guard. `strict` also fixes warnings. */
  readonly repair?: {
    readonly strict?: boolean
    readonly policy?: Partial<Policy>
    readonly cause?: Cause
  }
  readonly recovery?: RecoveryOptions
  /** How often one request may be sent. Default: 8. */
  readonly maxAttempts?: number
  /** A stream with a longer frame is broken off. Default: 64 MiB. */
  readonly maxFrameBytes?: number
  /** Larger responses are passed on without being read. Default: none. */
  readonly maxResponseBytes?: number
  /** Abort if no byte arrives from the provider for this many milliseconds. Default: none. */
  readonly idleTimeoutMs?: number
  /** Decisions about shrunk results. Share it between guards that serve one conversation. Default: a new one. */
  readonly memory?: Memory
  /** Keep reasoning and signatures by call, and restore them where the client drops them. Default: false. */
  readonly signatureMemory?: boolean
  /** Waits between two attempts. Default: a timer. */
  readonly wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** May be async: the guard does not wait for it and ignores its errors. The same holds for `onReply`. */
  readonly onEvent?: (event: GuardEvent) => void
  /** Gets every reply, complete or not. Run its calls only if it is complete. */
  readonly onReply?: (reply: Reply, about: EventContext) => void
  /** `@opentelemetry/api`, or false. Default: the API that is registered in this process, if any. */
  readonly telemetry?: Telemetry | false
}

const REPAIR: OptionTable<NonNullable<GuardOptions['repair']>> = { strict: 'boolean', policy: 'object', cause: causes }

export const GUARD_OPTIONS: OptionTable<GuardOptions> = {
  level: levels,
  provider: isProviderChoice,
  dialect: isDialectChoice,
  model: 'string',
  failClosed: 'boolean',
  repair: nested('guard.repair', REPAIR),
  recovery: nested('guard.recovery', RECOVERY_OPTIONS),
  maxAttempts: isAttempts,
  maxFrameBytes: 'positive',
  maxResponseBytes: 'positive',
  idleTimeoutMs: 'positive',
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

/** The checked options of one guard, and the state that it keeps. */
export interface Settings extends Omit<GuardOptions, 'dialect'> {
  readonly level: GuardLevel
  readonly dialect?: string | undefined
  readonly memory: Memory
  readonly maxAttempts: number
  readonly wait: NonNullable<GuardOptions['wait']>
  readonly budget: RetryBudget
  readonly signatures: SignatureMemory | undefined
  /** Number of requests so far. */
  readonly state: { requests: number }
}

/** Checks the options, once per guard. `table`: the options of this entry point. */
export function resolveOptions(
  options: GuardOptions,
  of = 'guard',
  table: OptionTable<object> = GUARD_OPTIONS,
): Settings {
  checkOptions(of, options, table)
  const { level = 'recover', provider, maxAttempts = 8 } = options
  if (typeof provider === 'string') providerNamed(provider)
  const dialect = typeof options.dialect === 'object' ? options.dialect.id : options.dialect
  if (dialect !== undefined) checkDialect(dialect, provider)
  return {
    ...options,
    level,
    dialect,
    maxAttempts,
    wait: options.wait ?? pause,
    budget: new RetryBudget(),
    signatures: options.signatureMemory ? new SignatureMemory() : undefined,
    memory: options.memory ?? shrinkMemory(),
    state: { requests: 0 },
  }
}

function isAttempts(value: unknown): string | undefined {
  return Number.isInteger(value) && (value as number) >= 1 ? undefined : 'an integer from 1'
}

function isProviderChoice(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'function') return undefined
  const isProvider = isObject(value) && Array.isArray(value['serves'])
  return isProvider ? undefined : 'the id of a provider, a provider object, or a function of the address'
}

function isDialectChoice(value: unknown): string | undefined {
  const isDialectObject = isObject(value) && typeof value['id'] === 'string'
  return typeof value === 'string' || isDialectObject ? undefined : 'the id of a dialect, or a dialect object'
}

/** With a dialect that no provider serves, the guard would never inspect a request. */
function checkDialect(dialect: string, provider: ProviderChoice | undefined): void {
  const own = typeof provider === 'object' ? [provider] : []
  const ids = [...new Set([...own, ...providers].flatMap(({ serves }) => serves.map((one) => one.dialect.id)))]
  if (!ids.includes(dialect)) throw unknownName('dialect', dialect, ids, ' of guard')
}

/**
 * The level from the `suture` header of a request. An unknown word is an error: the caller does not want the default.
 */
export function levelOf(header: string | null | undefined, settings: Settings): GuardLevel {
  const word = header?.trim().toLowerCase()
  if (word === undefined) return settings.level
  if (word === 'on') return settings.level === 'off' ? 'recover' : settings.level
  const known = levels.find((level) => level === word)
  if (known) return known
  const words = ['on', ...levels]
  const near = suggest(word, words)
  throw new SutureError(
    'bad-option',
    `The header "suture" must be one of ${words.join(', ')}, but got ${given(word)}.${near ? ` Did you mean "${near}"?` : ''}`,
    { header: 'suture' },
  )
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
