/** Options of `lint` and `repair`, and what they resolve to: service, dialect of the history, target of the core. */
import {
  type Cause,
  type Dialect,
  isObject,
  type Policy,
  type Provider,
  type Service,
  SutureError,
  type Target,
  tooManyFindings,
} from './core/index.ts'
import {
  checkOptions,
  checkValue,
  given,
  isDialect,
  knownNames,
  type OptionTable,
  unknownDialect,
  wordsOf,
} from './core/options.ts'
import { detect } from './dialects/detect.ts'
import { type DialectId, dialects } from './dialects/index.ts'
import { type ProviderId, providers, strictest } from './providers/index.ts'
import { type RuleId, rules } from './rules/index.ts'

/** What a finding may name. `too-many-findings`: the history was not checked to its end. */
export type FindingId = RuleId | 'too-many-findings'

/** A built-in provider by its id, `strictest` for what every provider accepts, or a provider object of your own. */
export type ProviderOption = ProviderId | 'strictest' | Provider

/** A built-in dialect by its id, or a dialect object of your own. */
export type DialectOption = DialectId | Dialect

/** `lint` takes the options of `repair`, so that it reports what a repair with the same options would find. */
export interface RepairOptions {
  /** The provider that gets the history. */
  readonly provider: ProviderOption
  /** The model that gets the history. Default: the one in the request body. Without it, its rules are warnings. */
  readonly model?: string | undefined
  /** Which of the provider's dialects. Default: detected from the history. */
  readonly dialect?: DialectOption | undefined
  /** The last round may still be answered: its open calls are left alone. Default: the history is about to be sent. */
  readonly inProgress?: boolean | undefined
  /** Also repair warnings: what is disputed, reported once or inferred. Default: false; true for `strictest`. */
  readonly strict?: boolean | undefined
  /** The rules that the provider's rejection of this history names. Their warnings count as errors. */
  readonly rejectedBy?: readonly FindingId[] | undefined
  /** What to do with unanswered calls, orphan results and duplicate results. */
  readonly policy?: Partial<Policy> | undefined
  /** Why results are missing, if it is known. Default: `lost`. */
  readonly cause?: Cause | undefined
  /** Convert a history that is wholly in another dialect. Default: one error that names both, and no change. */
  readonly convert?: boolean | undefined
}

/** The options of `lint`: those of `repair`. */
export type LintOptions = RepairOptions

/** Options with names that were read from a file or a command line. */
type Named<T> = Omit<T, 'provider' | 'dialect'> & {
  readonly provider?: string | Provider
  readonly dialect?: string | Dialect
}

/** Lets such names pass the types. The functions check them at run time, as they do for callers without types. */
export function named<T extends { readonly dialect?: DialectOption | undefined }>(options: Named<T>): T {
  return options as unknown as T
}

/** Whether a value is the id of a provider. */
export function isProviderId(value: unknown): value is ProviderId {
  return typeof value === 'string' && byId.has(value)
}

/** Whether a value is the id of a dialect. */
export function isDialectId(value: unknown): value is DialectId {
  return dialects.some(({ id }) => id === value)
}

/** Whether a value is the id of a rule. */
export function isRuleId(value: unknown): value is RuleId {
  return rules.some(({ id }) => id === value)
}

/** The core checks `policy` and `cause`. */
const OPTIONS: OptionTable<RepairOptions> = {
  provider: 'any',
  model: 'string',
  dialect: 'any',
  inProgress: 'boolean',
  strict: 'boolean',
  rejectedBy: wordsOf('rule', () => [...rules.map(({ id }) => id), tooManyFindings.id]),
  policy: 'any',
  cause: 'any',
  convert: 'boolean',
}

/** The service, rules and options that the core works with. */
export function targetOf(history: unknown, options: RepairOptions): Target {
  if (typeof options !== 'object' || options === null || options.provider === undefined) {
    throw unnamed()
  }
  checkOptions('lint and repair', options, OPTIONS)
  check(options)
  const service = serviceOf(history, options)
  // Only OpenAI's `input` may be plain text.
  if (!service.dialect.items && isObject(history) && typeof history[service.dialect.key] === 'string') {
    throw notAHistory(`a text under "${service.dialect.key}"`)
  }
  const strict = options.strict ?? options.provider === 'strictest'
  // Bedrock's clients name the model beside the body's own keys.
  const named = options.model === undefined && isObject(history) ? history['modelId'] : undefined
  const model = typeof named === 'string' ? named : options.model
  const { inProgress, rejectedBy, policy, cause, convert } = options
  const provider = nameOf(options.provider)
  return { service, provider, rules, model, inProgress, strict, rejectedBy, policy, cause, convert }
}

/** How messages name the provider. */
export function nameOf(provider: ProviderOption): string {
  if (provider === 'strictest') return 'the strictest provider'
  return typeof provider === 'string' ? provider : provider.id
}

/** The error for options without a provider. */
export function unnamed(): SutureError {
  return new SutureError(
    'unknown-provider',
    `Name the provider that gets the history: { provider: 'anthropic' }. Known: ${known()}.`,
  )
}

/** A wrong type that has a code of its own. */
function check({ policy }: RepairOptions): void {
  if (policy !== undefined && !isObject(policy))
    throw new SutureError(
      'unknown-policy',
      `Option "policy" must be an object such as { orphan: 'drop' }, but got ${given(policy)}.`,
    )
}

/** The list itself, for what works on a list alone. */
export function listOf<T>(history: readonly T[]): readonly T[] {
  if (Array.isArray(history)) return history
  throw notAHistory(given(history))
}

function notAHistory(found: string): SutureError {
  return new SutureError('not-a-history', `Expected a list of messages, but got ${found}. Pass the array itself.`)
}

const byId = new Map<string, Provider>(providers.map((provider) => [provider.id, provider]))

/** The service of a provider in one dialect, with its constraints. Strings are checked: JavaScript callers pass any. */
export function serviceOf(
  history: unknown,
  { provider, dialect }: { readonly provider: ProviderOption; readonly dialect?: DialectOption | undefined },
): Service {
  if (provider === 'strictest') return strictest(dialectOf(history, dialect))
  const found = typeof provider === 'string' ? byId.get(provider) : isProvider(provider) ? provider : undefined
  if (!found) throw unknownProvider(provider)
  const first = found.serves[0]!
  const wanted = dialect === undefined ? (found.serves.length > 1 ? detect(history) : undefined) : idOf(dialect)
  const service = found.serves.find((one) => one.dialect.id === wanted)
  if (service || dialect === undefined) return service ?? first
  throw notServed(found, wanted)
}

/** The error for a dialect that the provider does not serve. */
export function notServed({ id, serves }: Provider, wanted: unknown): SutureError {
  const served = serves.map((one) => one.dialect.id)
  const text = `${id} does not serve the dialect ${given(wanted)}.${knownNames(wanted, served)}`
  return new SutureError('unknown-dialect', text, { dialect: wanted })
}

function idOf(dialect: DialectOption): string {
  return typeof dialect === 'object' && dialect !== null ? dialect.id : dialect
}

/** The dialect that is named or given, else the one that is detected; OpenAI chat if nothing identifies it. */
export function dialectOf(history: unknown, dialect: DialectOption | undefined): Dialect {
  if (typeof dialect === 'object' && dialect !== null) {
    checkValue('Option "dialect"', dialect, isDialect, 'Pass the id of a dialect, or an object as in suture/dialects.')
    return dialect
  }
  const wanted = dialect ?? detect(history) ?? 'openai-chat'
  const found = dialects.find(({ id }) => id === wanted)
  if (found) return found
  throw unknownDialect(
    wanted,
    dialects.map(({ id }) => id),
  )
}

/** The error for a provider that is neither a known id nor a provider object. */
export function unknownProvider(provider: unknown): SutureError {
  const ids = [...providers.map(({ id }) => id), 'strictest']
  return new SutureError('unknown-provider', `Unknown provider ${given(provider)}.${knownNames(provider, ids)}`, {
    provider,
  })
}

function isProvider(value: unknown): boolean {
  if (!isObject(value) || !Array.isArray(value['serves'])) return false
  return value['serves'].length > 0 && value['serves'].every(isService)
}

function isService(service: unknown): boolean {
  return isObject(service) && isObject(service['dialect'])
}

function known(): string {
  return [...providers.map(({ id }) => id), 'strictest'].join(', ')
}
