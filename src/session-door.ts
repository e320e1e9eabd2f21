/**
 * The door `suture/session`: sessions with providers and rules wired in, and stores by their address.
 * A database driver is loaded when an address asks for it.
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
import { unknownProvider } from './target.ts'

export * from './session/index.ts'
export { memoryStore }

export interface OpenOptions extends Omit<SessionOptions, 'provider' | 'service' | 'rules' | 'dialects'> {
  /** Who gets the history: an id such as `anthropic`, `strictest`, or a provider object. */
  readonly provider: string | Provider
  /** Which of the dialects it serves; its first when absent. */
  readonly dialect?: string
}

const dialects = [...new Set(providers.flatMap(({ serves }) => serves.map(({ dialect }) => dialect)))]

const isProvider: Check = (value) =>
  typeof value === 'string' || Array.isArray((value as Provider | undefined)?.serves)
    ? undefined
    : 'the id of a provider such as "anthropic", or a provider object'

const OPEN_OPTIONS: OptionTable<OpenOptions> = {
  provider: isProvider,
  dialect: 'string',
  model: 'string',
  strict: 'boolean',
  policy: 'object',
  snapshotEvery: 'positive',
  left: causes,
  clock: 'function',
  ids: 'function',
}

/** Opens a session, new or not; `found` says what a crash has left. */
export async function openSession(store: Store, id: string, options: OpenOptions): Promise<Session> {
  checkValue('The store', store, isStore, "Open one first: await openStore('sqlite:./chats.db').")
  checkValue('The id of a session', id, 'name')
  checkValue('The options of openSession', options, 'object', "Say who gets the history: { provider: 'anthropic' }.")
  checkOptions('openSession', options, OPEN_OPTIONS)
  checkValue('The provider of openSession', options.provider, isProvider)
  const { provider, dialect, ...rest } = options
  const name = typeof provider === 'string' ? provider : provider.id
  const service = name === 'strictest' ? strictest(dialectOf(dialect)) : serviceOf(provider, dialect)
  return openOn(store, id, {
    dialects,
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

function serviceOf(provider: string | Provider, dialect: string | undefined) {
  const found = typeof provider === 'string' ? providers.find(({ id }) => id === provider) : provider
  if (!found) throw unknownProvider(provider)
  const service = dialect === undefined ? found.serves[0] : found.serves.find((one) => one.dialect.id === dialect)
  if (service) return service
  const served = found.serves.map((one) => one.dialect.id).join(', ')
  throw new SutureError(
    'unknown-dialect',
    `${found.id} does not serve the dialect "${dialect}". It serves ${served}.`,
    { dialect },
  )
}

function dialectOf(id: string | undefined) {
  const service = providers.flatMap((one) => one.serves).find((one) => one.dialect.id === id)
  if (service) return service.dialect
  throw new SutureError('unknown-dialect', `The strictest provider needs a dialect; there is none called "${id}".`, {
    dialect: id,
  })
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
