/**
 * From names to what the core works with: who is meant by a provider's id, and which dialect a history is in.
 */
import {
  type Cause,
  isObject,
  type Policy,
  type Provider,
  type Service,
  SutureError,
  type Target,
} from './core/index.ts'
import { checkOptions, given, type OptionTable, suggest, wordsOf } from './core/options.ts'
import { detect } from './dialects/detect.ts'
import { dialects } from './dialects/index.ts'
import { providers, strictest } from './providers/index.ts'
import { rules } from './rules/index.ts'

export interface Options {
  /** Who will get the history: an id such as `anthropic`, `strictest` for what all would accept, or a provider object. */
  readonly provider: string | Provider
  /** Laws that depend on the model only warn when it is not named. */
  readonly model?: string
  /** Where a provider serves several; else the history itself decides. */
  readonly dialect?: string
  /** The history is about to be sent: a call that might still be answered will not be. */
  readonly sending?: boolean
  /** Mend what is disputed or only assumed, too. */
  readonly strict?: boolean
  /** Rules by which the provider has just refused this very history. */
  readonly refused?: readonly string[]
  readonly policy?: Partial<Policy>
  /** Why results are missing, where the caller knows. */
  readonly cause?: Cause
}

/** A wrong policy or cause is named by the core, which knows the choices. */
const OPTIONS: OptionTable<Options> = {
  provider: 'any',
  model: 'string',
  dialect: 'string',
  sending: 'boolean',
  strict: 'boolean',
  refused: wordsOf('rule', () => rules.map(({ id }) => id)),
  policy: 'any',
  cause: 'any',
}

/** The service, rules and options that the core works with. */
export function targetOf(history: unknown, options: Options): Target {
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
  return { ...options, service, rules, strict, ...(typeof named === 'string' ? { model: named } : {}) }
}

/** The error for options without a provider. */
export function unnamed(): SutureError {
  return new SutureError(
    'unknown-provider',
    `Say who will get the history: { provider: 'anthropic' }. Known are ${known()}.`,
  )
}

/** Values of a wrong kind that have a code of their own. */
function check({ policy }: Options): void {
  if (policy !== undefined && !isObject(policy))
    throw new SutureError('unknown-policy', `policy is an object such as { orphan: 'drop' }, but got ${given(policy)}.`)
}

/** The list itself, for what works on a list alone. */
export function listOf<T>(history: readonly T[]): readonly T[] {
  if (Array.isArray(history)) return history
  throw notAHistory(given(history))
}

function notAHistory(found: string): SutureError {
  return new SutureError('not-a-history', `Expected a list of messages, but got ${found}. Pass the array itself.`)
}

/** Who serves it in which dialect, with its laws. */
export function serviceOf(
  history: unknown,
  { provider, dialect }: { readonly provider: string | Provider; readonly dialect?: string | undefined },
): Service {
  if (provider === 'strictest') return strictest(dialectOf(history, dialect))
  const found = typeof provider === 'string' ? providers.find(({ id }) => id === provider) : provider
  if (!isObject(found) || !Array.isArray(found.serves) || !found.serves.every(isService) || found.serves.length === 0)
    throw unknownProvider(provider)
  const first = found.serves[0]!
  const wanted = dialect ?? (found.serves.length > 1 ? detect(history) : undefined)
  const service = found.serves.find((one) => one.dialect.id === wanted)
  if (service || dialect === undefined) return service ?? first
  const served = found.serves.map((one) => one.dialect.id).join(', ')
  throw new SutureError(
    'unknown-dialect',
    `${found.id} does not serve the dialect "${dialect}". It serves ${served}.`,
    { dialect },
  )
}

/** The dialect that is named, else the one the history shows. */
export function dialectOf(history: unknown, id: string | undefined) {
  const wanted = id ?? detect(history) ?? 'openai-chat'
  const found = dialects.find((dialect) => dialect.id === wanted)
  if (found) return found
  const ids = dialects.map((one) => one.id)
  throw new SutureError(
    'unknown-dialect',
    `There is no dialect ${given(wanted)}.${near(wanted, ids)} Known are ${ids.join(', ')}.`,
    {
      dialect: wanted,
    },
  )
}

/** The error for a provider that is neither a known id nor a provider object. */
export function unknownProvider(provider: unknown): SutureError {
  const ids = [...providers.map(({ id }) => id), 'strictest']
  const text = `There is no provider ${given(provider)}.${near(provider, ids)} Known are ${ids.join(', ')}.`
  return new SutureError('unknown-provider', text, { provider })
}

function near(name: unknown, ids: readonly string[]): string {
  const found = typeof name === 'string' ? suggest(name, ids) : undefined
  return found === undefined ? '' : ` Did you mean "${found}"?`
}

function isService(service: unknown): boolean {
  return isObject(service) && isObject(service['dialect'])
}

function known(): string {
  return [...providers.map(({ id }) => id), 'strictest'].join(', ')
}
