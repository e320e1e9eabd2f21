/**
 * Checks the options of a gateway before it listens, and the gateway's own headers of a request. A mistyped name is an
 * error: if it were ignored, a limit, a key or a session would be missing without notice.
 */
import { isSutureError } from '../core/index.ts'
import { type Check, checkOptions, checkValue, nested, type OptionTable, suggest } from '../core/options.ts'
import { GUARD_OPTIONS } from '../guard/options.ts'
import { GatewayError } from './gateway-error.ts'
import type { HeaderList, ListenOptions } from './http/index.ts'
import { type GatewayOptions, LIMITS, type Limits } from './options.ts'
import type { KeyOptions } from './protection/index.ts'
import type { UpstreamOptions } from './upstreams.ts'

const isAddress: Check = (value) =>
  typeof value === 'string' && /^https?:\/\/[^/]/.test(value) && URL.canParse(value)
    ? undefined
    : 'an address such as "https://api.openai.com"'

const UPSTREAM: OptionTable<UpstreamOptions> = {
  url: isAddress,
  provider: 'string',
  apiKey: 'string',
  emulator: 'boolean',
}

const areUpstreams: Check = (value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'an object of upstreams by name'
  for (const [name, one] of Object.entries(value)) {
    checkOptions(`the upstream "${name}"`, one ?? null, UPSTREAM)
    checkValue(`The url of the upstream "${name}"`, one.url, isAddress)
  }
  return undefined
}

const isHash: Check = (value) =>
  typeof value === 'string' && /^(sha256:)?[0-9a-f]{64}$/i.test(value)
    ? undefined
    : '"sha256:" and 64 hexadecimal digits, as `suture key` or hashOf makes them'

const KEY: OptionTable<KeyOptions> = { name: 'name', hash: isHash, perMinute: 'count' }

const areKeys: Check = (value) => {
  if (!Array.isArray(value)) return 'an array of { name, hash }'
  for (const key of value) {
    checkOptions('a key', key ?? null, KEY)
    checkValue('The name of a key', key.name, 'name')
    checkValue(`The hash of the key "${key.name}"`, key.hash, isHash)
  }
  return undefined
}

const LIMIT_OPTIONS = Object.fromEntries(
  Object.keys(LIMITS).map((name) => [name, name.endsWith('Bytes') ? 'positive' : 'number']),
) as OptionTable<Limits>

const { provider: _provider, onEvent: _onEvent, onReply: _onReply, ...GUARD } = GUARD_OPTIONS

const GATEWAY: OptionTable<GatewayOptions> = {
  upstreams: areUpstreams,
  default: 'string',
  guard: nested('gateway.guard', GUARD),
  store: 'object',
  compactor: 'object',
  viewer: 'object',
  derive: 'boolean',
  keys: areKeys,
  hosts: 'strings',
  limits: nested('gateway.limits', LIMIT_OPTIONS),
  log: 'function',
}

export function checkGateway(options: unknown): void {
  const example = "Name at least one upstream: { upstreams: { openai: { url: 'https://api.openai.com' } } }."
  checkValue('The options of gateway', options, 'object', example)
  checkOptions('gateway', options, GATEWAY)
  checkValue('Option "upstreams" of gateway', (options as GatewayOptions).upstreams, 'object', example)
}

const isPort: Check = (value) =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65_535
    ? undefined
    : 'a port from 0 to 65535'

const LISTEN: OptionTable<ListenOptions> = { host: 'name', port: isPort }

export function checkListen(options: unknown): void {
  checkOptions('listen', options, LISTEN)
}

const HEADERS = ['suture-session', 'suture-mode', 'suture-operation', 'suture-key']

/** Throws for a mistyped header of the gateway. Others with its prefix are dropped. `level` reads `suture`. */
export function checkHeaders({ names }: HeaderList, level: () => unknown): void {
  for (const name of names) {
    if (!name.startsWith('suture')) continue
    if (name === 'suture') known(level)
    else if (!HEADERS.includes(name)) mistyped(name)
  }
}

function known(level: () => unknown): void {
  try {
    level()
  } catch (error) {
    throw isSutureError(error, 'bad-option') ? new GatewayError('bad-request', error.message) : error
  }
}

/** With 426 a client falls back to plain HTTP at once. Other protocols in `Upgrade` are ignored. */
export function rejectWebSocket(headers: HeaderList): void {
  if (headers.get('upgrade')?.toLowerCase() !== 'websocket') return
  throw new GatewayError('upgrade-required', 'WebSockets are not supported. Use plain HTTP.', {
    upgrade: 'HTTP/1.1',
    connection: 'upgrade, close',
  })
}

/** Compared without the common prefix; otherwise any two would be similar. */
function mistyped(name: string): void {
  const ends = HEADERS.map((one) => one.slice('suture-'.length))
  const near = suggest(name.slice('suture'.length).replace(/^-/, ''), ends)
  if (near !== undefined)
    throw new GatewayError('bad-request', `Unknown header "${name.slice(0, 80)}". Did you mean "suture-${near}"?`)
}
