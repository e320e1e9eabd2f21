/**
 * The door `suture/session`: sessions with providers and rules wired in, and stores by their address.
 * A database driver is loaded when an address asks for it.
 */
import { type Provider, SutureError } from './core/index.ts'
import { providers, strictest } from './providers/index.ts'
import { rules } from './rules/index.ts'
import { openSession as openOn, type Session, type SessionOptions, type Store } from './session/index.ts'
import { memoryStore } from './stores/memory.ts'
import type { PostgresOptions } from './stores/postgres.ts'
import type { SqliteOptions } from './stores/sqlite.ts'

export * from './session/index.ts'
export { memoryStore }

export interface OpenOptions extends Omit<SessionOptions, 'provider' | 'service' | 'rules'> {
  /** Who gets the history: an id such as `anthropic`, `strictest`, or a provider object. */
  readonly provider: string | Provider
  /** Which of the dialects it serves; its first when absent. */
  readonly dialect?: string
}

/** Opens a session, new or not; `found` says what a crash has left. */
export function openSession(
  store: Store,
  id: string,
  { provider, dialect, ...options }: OpenOptions,
): Promise<Session> {
  const name = typeof provider === 'string' ? provider : provider.id
  const service = name === 'strictest' ? strictest(dialectOf(dialect)) : serviceOf(provider, dialect)
  return openOn(store, id, {
    ...options,
    provider: name,
    service,
    rules,
    strict: options.strict ?? name === 'strictest',
  })
}

function serviceOf(provider: string | Provider, dialect: string | undefined) {
  const found = typeof provider === 'string' ? providers.find(({ id }) => id === provider) : provider
  if (!found) {
    const known = providers.map(({ id }) => id).join(', ')
    throw new SutureError('unknown-provider', `There is no provider "${String(provider)}". Known are ${known}.`, {
      provider,
    })
  }
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

/** `sqlite:./chats.db`, `postgres://…`, `memory:`. */
export async function openStore(address: string, options: SqliteOptions & PostgresOptions = {}): Promise<Store> {
  if (address === 'memory:') return memoryStore()
  if (address.startsWith('sqlite:')) {
    const { openSqlite } = await import('./stores/drivers.ts')
    return openSqlite(address.slice('sqlite:'.length), options)
  }
  if (/^postgres(ql)?:\/\//.test(address)) {
    const { openPostgres } = await import('./stores/drivers.ts')
    return openPostgres(address, options)
  }
  throw new SutureError(
    'bad-option',
    `"${address}" is no address of a store. It is sqlite:<file>, postgres://…, or memory:.`,
    { address },
  )
}
