/**
 * Which provider, dialect and model a request is for, from its address; the body is asked only where one address speaks several.
 * On a host that Suture does not know the path tells the dialect. Other paths have no endpoint: what goes there is passed on untouched.
 */
import { isObject, own, type Provider, type Service, SutureError } from '../core/index.ts'
import { providers } from '../providers/index.ts'
import { makers } from './unknown-host.ts'

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

/** Says who serves an address that Suture does not know. */
export type Naming = string | Provider | ((address: Address) => string | Provider | undefined)

export interface EndpointOptions {
  readonly provider?: Naming | undefined
  readonly dialect?: string | undefined
}

/** The named provider is asked first, then the ones of this host. `body` is parsed JSON, where it is known already. */
export function endpointOf(address: Address, options: EndpointOptions = {}, body?: unknown): Endpoint | undefined {
  const named = providerOf(options.provider, address)
  const candidates = named ? [named, ...providersAt(address.host)] : providersAt(address.host)
  return endpointAmong(candidates, true, address, options, body) ?? endpointAmong(makers, false, address, options, body)
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
    if (service) return { provider: provider.id, service, model: modelIn(path), opaque: false, known }
    const invoked = invokedAt(provider, path, body)
    const opaque = path.endsWith('-stream')
    if (invoked) return { provider: provider.id, service: invoked, model: modelIn(path), opaque, known }
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
  const known = providers.map((one) => one.id).join(', ')
  throw new SutureError('unknown-provider', `There is no provider "${id}". Known are ${known}.`, { provider: id })
}

function providerOf(naming: Naming | undefined, address: Address): Provider | undefined {
  const named = typeof naming === 'function' ? naming(address) : naming
  return typeof named === 'string' ? providerNamed(named) : named
}

// A proxy asks for the same few hosts again and again.
const byHost = new Map<string, readonly Provider[]>()
const MOST_HOSTS = 256

function providersAt(host: string): readonly Provider[] {
  let found = byHost.get(host)
  if (!found) {
    found = providers.filter(({ hosts }) => hosts.some((pattern) => pattern.test(host)))
    if (byHost.size >= MOST_HOSTS) byHost.clear()
    byHost.set(host, found)
  }
  return found
}

function serviceAt({ serves }: Provider, path: string, dialect: string | undefined): Service | undefined {
  // A path of one's own says nothing: then the named dialect does.
  if (dialect !== undefined) return serves.find((one) => one.dialect.id === dialect)
  return serves.find((one) => one.dialect.paths.test(path))
}

/** Bedrock's older way in: any family's own body, told apart by what stands in it. */
function invokedAt(provider: Provider, path: string, body: unknown): Service | undefined {
  if (!/\/model\/[^/]+\/invoke(-with-response-stream)?$/.test(path)) return undefined
  if (!isObject(body) || typeof body['anthropic_version'] !== 'string') return undefined
  return provider.serves.find((one) => one.dialect.id === 'anthropic-messages')
}

/** Whether the body has to be read before the endpoint is known. */
export function needsBody(path: string): boolean {
  return /\/model\/[^/]+\/invoke(-with-response-stream)?$/.test(path)
}

const IN_PATH = [/\/models\/([^/:]+):\w+$/, /\/model\/([^/]+)\/(?:converse|invoke)/, /\/deployments\/([^/]+)\//]

function modelIn(path: string): string | undefined {
  for (const pattern of IN_PATH) {
    const found = pattern.exec(path)?.[1]
    if (found !== undefined) return unescaped(found)
  }
  return undefined
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
