/**
 * Finds provider, dialect and model of a request from its address; the body is read only if one address serves several
 * dialects. On an unknown host the path gives the dialect. Other paths have no endpoint: such requests are passed on
 * unchanged.
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
  /** The model, if the address names it. */
  readonly model: string | undefined
  /** Bedrock's `invoke` stream wraps the events of the model family; a caller that parses frames cannot read it. */
  readonly opaque: boolean
  /**
   * The host is the provider's own, or the caller names the provider. False: only the dialect of the path is known;
   * `provider` is then the maker of the dialect.
   */
  readonly known: boolean
}

/** The provider at an address that Suture does not know: by id, as an object, or by a function of the address. */
export type ProviderChoice = ProviderId | Provider | ((address: Address) => ProviderId | Provider | undefined)

export interface EndpointOptions {
  readonly provider?: ProviderChoice | undefined
  readonly dialect?: string | undefined
}

/** The named provider comes first, then those of the host. `body`: the parsed body, if it is known already. */
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
    const named = serviceAt(provider, path, dialect)
    const service = named ?? invokedAt(provider, path, body)
    const opaque = !named && isWrappedStream(path)
    if (service) return { provider: provider.id, service, model: modelInPath(path), opaque, known }
  }
  return undefined
}

/** On an unknown host a path can belong to any API: a request to a model names its model. */
export function isForModel({ known, model }: Endpoint, body: unknown): boolean {
  return known || model !== undefined || typeof own(body, 'model') === 'string'
}

/** The provider with this id. Throws for an unknown one. */
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

// A proxy asks for the same few hosts.
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
  // A custom path does not identify a dialect: then the named dialect does.
  if (dialect !== undefined) return serves.find((one) => one.dialect.id === dialect)
  return serves.find((one) => one.dialect.paths.test(path))
}

/** Bedrock's `invoke`: the body of any model family, recognized by its fields. */
function invokedAt(provider: Provider, path: string, body: unknown): Service | undefined {
  const dialect = isInvokePath(path) ? invokedDialect(body) : undefined
  return dialect === undefined ? undefined : provider.serves.find((one) => one.dialect.id === dialect)
}
