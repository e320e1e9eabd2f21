/**
 * The settings of `suture serve`, by file, environment and flag: one table for all three, and errors that say where a value came from.
 */
import { SutureError } from '../../core/index.ts'
import { suggest } from '../../core/options.ts'

type Kind = 'text' | 'number' | 'switch' | 'list'

interface Setting {
  readonly kind: Kind
  readonly help: string
  readonly means?: string
  /** Of a text: what it may be. */
  readonly one?: readonly string[]
  readonly short?: string
}

/** By flag; `--max-body-bytes` is `SUTURE_MAX_BODY_BYTES` in the environment and `maxBodyBytes` in the file. */
export const settings = {
  host: {
    kind: 'text',
    means: 'ADDRESS',
    help: 'address to listen on (127.0.0.1); an address other than loopback needs keys',
  },
  port: { kind: 'number', means: 'N', short: 'p', help: 'port to listen on (8787); 0: any free port' },
  upstream: {
    kind: 'list',
    means: 'NAME[=URL[,PROVIDER]]',
    short: 'u',
    help: 'an upstream at /NAME/…, checked as PROVIDER; if any is named, no other can be reached',
  },
  default: { kind: 'text', means: 'NAME', help: 'the upstream of plain /v1/… paths; default: chosen by path' },
  store: {
    kind: 'text',
    means: 'ADDRESS',
    short: 's',
    help: 'sqlite:FILE (sqlite:./suture.db), postgres://…, memory: or none',
  },
  'guard-level': {
    kind: 'text',
    one: ['off', 'lint', 'repair', 'recover'],
    help: 'how far the guard goes: off, report only, repair, also recover from rejections (recover)',
  },
  'signature-memory': {
    kind: 'switch',
    help: 'keep reasoning and signatures by call, and restore them where a client drops them',
  },
  derive: {
    kind: 'switch',
    help: 'also record conversations without a session id; they are recognized by their first messages',
  },
  'no-compact': { kind: 'switch', help: 'never compact a stored conversation automatically' },
  key: {
    kind: 'list',
    means: 'NAME=sha256:HASH[:N]',
    help: 'a key of this gateway, with N requests a minute; `suture key NAME` makes one',
  },
  'host-name': {
    kind: 'list',
    means: 'NAME',
    help: 'another host name that requests may use if the gateway has no keys',
  },
  'max-body-bytes': { kind: 'number', means: 'BYTES', help: 'maximum size of a request body (64 MiB)' },
  'max-buffered-bytes': {
    kind: 'number',
    means: 'BYTES',
    help: 'maximum memory for the bodies of all requests together (512 MiB)',
  },
  'max-response-bytes': {
    kind: 'number',
    means: 'BYTES',
    help: 'maximum size of a response that is read whole (64 MiB)',
  },
  'max-header-bytes': { kind: 'number', means: 'BYTES', help: 'maximum size of the request headers (32 KiB)' },
  'request-timeout-ms': {
    kind: 'number',
    means: 'MS',
    help: 'maximum time until a request has arrived completely (120000)',
  },
  'upstream-timeout-ms': {
    kind: 'number',
    means: 'MS',
    help: 'maximum time until an upstream sends response headers (600000)',
  },
  'store-timeout-ms': { kind: 'number', means: 'MS', help: 'maximum time of one store operation (5000); 0: no limit' },
  'idle-timeout-ms': { kind: 'number', means: 'MS', help: 'abort if an upstream sends no byte for this long (300000)' },
  'per-minute': { kind: 'number', means: 'N', help: 'requests a minute for each key (600); 0: no limit' },
  'drain-timeout-ms': {
    kind: 'number',
    means: 'MS',
    help: 'maximum time for running requests to finish at shutdown (30000)',
  },
  'drain-delay-ms': {
    kind: 'number',
    means: 'MS',
    help: 'keep serving requests for this long after SIGTERM, while /suture/ready returns 503 (0)',
  },
  log: { kind: 'text', one: ['json', 'off'], help: 'a line for each request on standard error (json)' },
  offline: { kind: 'switch', help: 'send all requests to the built-in strict provider, even if API keys are set' },
  online: {
    kind: 'switch',
    help: 'allow the real addresses of all providers without configured API keys: clients send their own',
  },
} as const satisfies Record<string, Setting>

export type Name = keyof typeof settings
type ValueOf<N extends Name> = (typeof settings)[N]['kind'] extends 'number'
  ? number
  : (typeof settings)[N]['kind'] extends 'switch'
    ? boolean
    : (typeof settings)[N]['kind'] extends 'list'
      ? readonly string[]
      : string

export type Values = { readonly [N in Name]?: ValueOf<N> }

/** One place that settings come from. */
interface Origin {
  readonly values: Readonly<Record<string, unknown>>
  nameOf(name: Name): string
}

/** Flags win over the environment, that over the file. */
export function settled(
  flags: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string | undefined>>,
  file: { readonly path: string; readonly values: Readonly<Record<string, unknown>> } | undefined,
): Values {
  const origins: Origin[] = [
    { values: flags, nameOf: (name) => `--${name}` },
    { values: fromEnvironment(env), nameOf: environmentName },
  ]
  if (file) {
    known(file)
    origins.push({ values: fromFile(file.values), nameOf: (name) => `${fileName(name)} in ${file.path}` })
  }
  const values: Record<string, unknown> = {}
  for (const name of Object.keys(settings) as Name[]) {
    const origin = origins.find((one) => one.values[name] !== undefined)
    if (origin) values[name] = valued(name, origin.values[name], origin.nameOf(name))
  }
  return values as Values
}

function fromEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(settings) as [Name, Setting][]) {
    const value = env[environmentName(name)]
    // Kubernetes sets SUTURE_PORT to tcp://… in every pod beside a service named suture.
    if (value === undefined || value === '' || (name === 'port' && value.startsWith('tcp://'))) continue
    values[name] = setting.kind === 'list' ? value.split(/[\s;]+/).filter(Boolean) : value
  }
  return values
}

function fromFile(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries((Object.keys(settings) as Name[]).map((name) => [name, values[fileName(name)]]))
}

/** An unknown key in the file is an error: it is usually a typo. */
function known({ path, values }: { path: string; values: Readonly<Record<string, unknown>> }): void {
  const names = (Object.keys(settings) as Name[]).map(fileName)
  const odd = Object.keys(values).find((name) => !names.includes(name))
  if (odd === undefined) return
  const near = suggest(odd, names)
  const step = near === undefined ? `There are ${names.join(', ')}.` : `Did you mean "${near}"?`
  throw new SutureError('bad-option', `${odd} in ${path}: there is no such setting. ${step}`, { name: odd })
}

function valued(name: Name, value: unknown, where: string): unknown {
  const { kind, one }: Setting = settings[name]
  const wrong = (what: string) =>
    new SutureError('bad-option', `${where}: ${JSON.stringify(value)} is not ${what}.`, { name })
  if (kind === 'list') {
    const list = Array.isArray(value) ? value : [value]
    if (!list.every((item) => typeof item === 'string')) throw wrong('a list of texts')
    return list
  }
  if (kind === 'switch') {
    if (typeof value === 'boolean') return value
    if (/^(1|true|yes|on)$/i.test(String(value))) return true
    if (/^(0|false|no|off)$/i.test(String(value))) return false
    throw wrong('true or false')
  }
  if (kind === 'number') {
    const number = typeof value === 'number' ? value : /^\d+$/.test(String(value)) ? Number(value) : Number.NaN
    if (!Number.isSafeInteger(number) || number < 0 || (name === 'port' && number > 65_535))
      throw wrong(name === 'port' ? 'a port from 0 to 65535' : 'a number from 0')
    return number
  }
  if (typeof value !== 'string' || value === '') throw wrong('a text')
  if (one && !one.includes(value)) throw wrong(`one of ${one.join(', ')}`)
  return value
}

export function environmentName(name: Name): string {
  return `SUTURE_${name.toUpperCase().replaceAll('-', '_')}`
}

function fileName(name: Name): string {
  return name.replace(/-(.)/g, (_all, letter: string) => letter.toUpperCase())
}
