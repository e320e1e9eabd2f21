/**
 * The entry point `suture/session`: sessions for the built-in providers, and stores by their address.
 * A database driver is loaded only when an address needs it.
 */
import { causes, type Provider, SutureError } from './core/index.ts'
import { type Check, checkOptions, checkValue, type OptionTable } from './core/options.ts'
import { providers, strictest } from './providers/index.ts'
import { rules } from './rules/index.ts'
import { openSession as openOn, type Session, type SessionOptions, type Store } from './session/index.ts'
import { wrongAddress } from './stores/address.ts'
import { memoryStore } from './stores/memory.ts'
import { POSTGRES_OPTIONS, SQLITE_OPTIONS } from './stores/options.ts'
import type { PostgresOptions } from './stores/postgres.ts'
import type { SqliteOptions } from './stores/sqlite.ts'
import { type DialectOption, dialectOf, notServed, type ProviderOption, unknownProvider } from './target.ts'

export * from './session/index.ts'
export { memoryStore }

/** Options of a session for a built-in provider. */
export interface OpenOptions extends Omit<SessionOptions, 'provider' | 'service' | 'rules'> {
  /** The provider that gets the history. */
  readonly provider: ProviderOption
  /** One of the provider's dialects. Default: its first. */
  readonly dialect?: DialectOption | undefined
}

const isProvider: Check = (value) =>
  typeof value === 'string' || Array.isArray((value as Provider | undefined)?.serves)
    ? undefined
    : 'the id of a provider such as "anthropic", or a provider object'

const OPEN_OPTIONS: OptionTable<OpenOptions> = {
  provider: isProvider,
  dialect: 'any',
  model: 'string',
  strict: 'boolean',
  policy: 'object',
  snapshotEvery: 'positive',
  openCallCause: causes,
  clock: 'function',
  ids: 'function',
}

/**
 * Opens a session or creates it; `session.found` lists what a crash left open.
 * `Message` is the message type of your SDK, for example `MessageParam`; it is not checked at run time.
 */
export async function openSession<Message = unknown>(
  store: Store,
  id: string,
  options: OpenOptions,
): Promise<Session<Message>> {
  checkValue('The store', store, isStore, "Open one first: await openStore('sqlite:./chats.db').")
  checkValue('The id of a session', id, 'id')
  checkValue('The options of openSession', options, 'object', "Name the provider: { provider: 'anthropic' }.")
  checkOptions('openSession', options, OPEN_OPTIONS)
  checkValue('The provider of openSession', options.provider, isProvider)
  const { provider, dialect, ...rest } = options
  const name = typeof provider === 'string' ? provider : provider.id
  const service = name === 'strictest' ? strictest(namedDialect(dialect)) : serviceOf(provider, dialect)
  return openOn<Message>(store, id, {
    ...rest,
    provider: name,
    service,
    rules,
    strict: rest.strict ?? name === 'strictest',
  })
}

function isStore(value: unknown): string | undefined {
  const { append, head, read } = (value ?? {}) as Partial<Store>
  return [append, head, read].every((one) => typeof one === 'function') ? undefined : 'a store'
}

function serviceOf(provider: ProviderOption, dialect: DialectOption | undefined) {
  const found = typeof provider === 'string' ? providers.find(({ id }) => id === provider) : provider
  if (!found) throw unknownProvider(provider)
  const wanted = typeof dialect === 'object' ? dialect.id : dialect
  const service = wanted === undefined ? found.serves[0] : found.serves.find((one) => one.dialect.id === wanted)
  if (service) return service
  throw notServed(found, wanted)
}

function namedDialect(dialect: DialectOption | undefined) {
  if (dialect !== undefined) return dialectOf([], dialect)
  const step = "Name one: { provider: 'strictest', dialect: 'openai-chat' }."
  throw new SutureError('unknown-dialect', `A session for the strictest provider needs a dialect. ${step}`)
}

const STORE_OPTIONS: OptionTable<SqliteOptions & PostgresOptions> = { ...SQLITE_OPTIONS, ...POSTGRES_OPTIONS }

/** `sqlite:./chats.db`, `postgres://…`, `memory:`. */
export async function openStore(address: string, options: SqliteOptions & PostgresOptions = {}): Promise<Store> {
  checkValue('The address of a store', address, 'name', 'It is sqlite:<file>, postgres://…, or memory:.')
  checkOptions('openStore', options, STORE_OPTIONS)
  if (address === 'memory:') return memoryStore()
  if (/^sqlite:./.test(address)) {
    const { openSqlite } = await import('./stores/drivers.ts')
    return openSqlite(address.slice('sqlite:'.length), options)
  }
  if (/^postgres(ql)?:\/\//.test(address)) {
    const { openPostgres } = await import('./stores/drivers.ts')
    return openPostgres(address, options)
  }
  throw wrongAddress(address)
}
