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
import { detect } from './dialects/detect.ts'
import { dialects } from './dialects/index.ts'
import { providers, strictest } from './providers/index.ts'
import { rules } from './rules/index.ts'

export interface Options {
  /** Who will get the history: an id such as `anthropic`, `strictest` for what all would accept, or a provider object. */
  readonly provider: string | Provider
  /** Constraints that depend on the model are only warnings if it is not named. */
  readonly model?: string
  /** Where a provider serves several; else the history itself decides. */
  readonly dialect?: string
  /** The last round may still be answered: its open calls are left alone. Default: the history is about to be sent. */
  readonly inProgress?: boolean
  /** Repair what is disputed or only assumed, too. */
  readonly strict?: boolean
  /** Rules by which the provider has just rejected this very history. */
  readonly rejectedBy?: readonly string[]
  readonly policy?: Partial<Policy>
  /** Why results are missing, where the caller knows. */
  readonly cause?: Cause
}

/** The service, rules and options that the core works with. */
export function targetOf(history: unknown, options: Options): Target {
  if (typeof options !== 'object' || options === null || options.provider === undefined) {
    throw new SutureError(
      'unknown-provider',
      `Say who will get the history: { provider: 'anthropic' }. Known are ${known()}.`,
    )
  }
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
  const { inProgress, rejectedBy, policy, cause } = options
  return { service, rules, model, inProgress, strict, rejectedBy, policy, cause }
}

/** Values of a wrong kind, which nothing further down would name. */
function check({ model, policy, rejectedBy }: Options): void {
  if (model !== undefined && typeof model !== 'string')
    throw new SutureError(
      'bad-option',
      `model is a name, but got ${String(model)}. Leave it out where it is not known.`,
    )
  if (rejectedBy !== undefined && !Array.isArray(rejectedBy))
    throw new SutureError('bad-option', `rejectedBy is a list of rule ids, but got ${String(rejectedBy)}.`)
  if (policy !== undefined && !isObject(policy))
    throw new SutureError(
      'unknown-policy',
      `policy is an object such as { orphan: 'drop' }, but got ${String(policy)}.`,
    )
}

/** The list itself, for what works on a list alone. */
export function listOf<T>(history: readonly T[]): readonly T[] {
  if (Array.isArray(history)) return history
  throw notAHistory(isObject(history) ? 'an object' : String(history))
}

function notAHistory(found: string): SutureError {
  return new SutureError('not-a-history', `Expected a list of messages, but got ${found}. Pass the array itself.`)
}

const byId = new Map(providers.map((provider) => [provider.id, provider]))

/** Who serves it in which dialect, with its constraints. */
export function serviceOf(
  history: unknown,
  { provider, dialect }: { readonly provider: string | Provider; readonly dialect?: string | undefined },
): Service {
  if (provider === 'strictest') return strictest(dialectOf(history, dialect))
  const found = typeof provider === 'string' ? byId.get(provider) : provider
  if (!found || !Array.isArray(found.serves) || found.serves.length === 0)
    throw new SutureError('unknown-provider', `There is no provider "${String(provider)}". Known are ${known()}.`, {
      provider,
    })
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
  throw new SutureError(
    'unknown-dialect',
    `There is no dialect "${wanted}". Known are ${dialects.map((one) => one.id).join(', ')}.`,
    { dialect: wanted },
  )
}

function known(): string {
  return [...providers.map(({ id }) => id), 'strictest'].join(', ')
}
