/**
 * Which provider, dialect and model a request is for, from its address; the body is asked only where one address speaks several.
 * On a host that Suture does not know the path tells the dialect. Other paths have no endpoint: what goes there is passed on untouched.
 */
import { own, type Provider, type Service, SutureError } from '../core/index.ts'
import { given, knownNames } from '../core/options.ts'
import { invokedDialect, isInvokePath, isWrappedStream, modelInPath } from '../dialects/addresses.ts'
import { type ProviderId, providers } from '../providers/index.ts'
import { dialectOwners } from './unknown-host.ts'

export interface Address {
  /** Without port. */
  readonly host: string
  /** Without query. */
  readonly path: string
}

export interface Endpoint {
  readonly provider: string
  readonly service: Service
  /** Where the address names it. */
  readonly model: string | undefined
  /** Bedrock's stream of `invoke`, which wraps the family's own events once more: who reads frames himself cannot read them. */
  readonly opaque: boolean
  /**
   * The host is the provider's own, or the caller says whose it is. False: nothing is known of the host, only the dialect of the path;
   * `provider` is then the one that made the dialect.
   */
  readonly known: boolean
}

/** The provider at an address that Suture does not know: by id, as an object, or by a function of the address. */
export type ProviderChoice = ProviderId | Provider | ((address: Address) => ProviderId | Provider | undefined)

export interface EndpointOptions {
  readonly provider?: ProviderChoice | undefined
  readonly dialect?: string | undefined
}

/** The named provider is asked first, then the ones of this host. `body` is parsed JSON, where it is known already. */
export function endpointOf(address: Address, options: EndpointOptions = {}, body?: unknown): Endpoint | undefined {
  const named = providerOf(options.provider, address)
  const candidates = named ? [named, ...providersAt(address.host)] : providersAt(address.host)
  return (
    endpointAmong(candidates, true, address, options, body) ??
    endpointAmong(dialectOwners, false, address, options, body)
  )
}

function endpointAmong(
  candidates: readonly Provider[],
  known: boolean,
  { path }: Address,
  { dialect }: EndpointOptions,
  body: unknown,
): Endpoint | undefined {
  for (const provider of candidates) {
    const service = serviceAt(provider, path, dialect)
    if (service) return { provider: provider.id, service, model: modelInPath(path), opaque: false, known }
    const invoked = invokedAt(provider, path, body)
    const opaque = isWrappedStream(path)
    if (invoked) return { provider: provider.id, service: invoked, model: modelInPath(path), opaque, known }
  }
  return undefined
}

/** On an unknown host a path alone may be anything: a request to a model names its model. */
export function isForModel({ known, model }: Endpoint, body: unknown): boolean {
  return known || model !== undefined || typeof own(body, 'model') === 'string'
}

/** The provider of this name, or wrong use. */
export function providerNamed(id: string): Provider {
  const found = providers.find((one) => one.id === id)
  if (found) return found
  const known = providers.map((one) => one.id)
  throw new SutureError('unknown-provider', `Unknown provider ${given(id)}.${knownNames(id, known)}`, { provider: id })
}

function providerOf(naming: ProviderChoice | undefined, address: Address): Provider | undefined {
  const named = typeof naming === 'function' ? naming(address) : naming
  return typeof named === 'string' ? providerNamed(named) : named
}

// A proxy asks for the same few hosts again and again.
const providersByHost = new Map<string, readonly Provider[]>()
const MOST_HOSTS = 256

function providersAt(host: string): readonly Provider[] {
  let found = providersByHost.get(host)
  if (!found) {
    found = providers.filter(({ hosts }) => hosts.some((pattern) => pattern.test(host)))
    if (providersByHost.size >= MOST_HOSTS) providersByHost.clear()
    providersByHost.set(host, found)
  }
  return found
}

function serviceAt({ serves }: Provider, path: string, dialect: string | undefined): Service | undefined {
  // A path of one's own says nothing: then the named dialect does.
  if (dialect !== undefined) return serves.find((one) => one.dialect.id === dialect)
  return serves.find((one) => one.dialect.paths.test(path))
}

/** Bedrock's `invoke`: the body of any model family, recognized by its fields. */
function invokedAt(provider: Provider, path: string, body: unknown): Service | undefined {
  const dialect = isInvokePath(path) ? invokedDialect(body) : undefined
  return dialect === undefined ? undefined : provider.serves.find((one) => one.dialect.id === dialect)
}

/** Whether the endpoint is known only once the body is read. */
export function needsBody(path: string): boolean {
  return isInvokePath(path)
}
