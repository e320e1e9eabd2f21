/**
 * The settings of `suture serve`, by file, environment and flag: one table for all three, and errors that say where a value came from.
 */
import { SutureError } from '../core/index.ts'
import { suggest } from '../core/options.ts'

type Kind = 'text' | 'number' | 'switch' | 'list'

interface Setting {
  readonly kind: Kind
  readonly help: string
  readonly means?: string
  /** Of a text: what it may be. */
  readonly one?: readonly string[]
  readonly short?: string
}

/** By flag; `--body-limit` is `SUTURE_BODY_LIMIT` in the environment and `bodyLimit` in the file. */
export const settings = {
  host: { kind: 'text', means: 'ADDRESS', help: 'where to listen (127.0.0.1); beyond loopback only with keys' },
  port: { kind: 'number', means: 'N', short: 'p', help: 'which port (8787); 0 is any free one' },
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
  mode: { kind: 'text', one: ['off', 'lint', 'repair', 'recover'], help: 'how far the guard goes (recover)' },
  'signature-memory': {
    kind: 'switch',
    help: 'keep reasoning and signatures by call, and restore them where a client drops them',
  },
  derive: { kind: 'switch', help: 'record conversations without a session id, too, by how they begin' },
  'keep-whole': { kind: 'switch', help: 'never make a kept conversation shorter without being asked to' },
  key: {
    kind: 'list',
    means: 'NAME=sha256:HASH[:N]',
    help: 'a key of this gateway, with N requests a minute; `suture key NAME` makes one',
  },
  'host-name': { kind: 'list', means: 'NAME', help: 'another host name it may be asked by when it needs no key' },
  'body-limit': { kind: 'number', means: 'BYTES', help: 'the largest body (64 MiB)' },
  'buffer-limit': { kind: 'number', means: 'BYTES', help: 'what all requests together may hold in memory (512 MiB)' },
  'answer-limit': { kind: 'number', means: 'BYTES', help: 'the largest answer that is read whole (64 MiB)' },
  'header-limit': { kind: 'number', means: 'BYTES', help: 'the largest headers (32 KiB)' },
  'request-timeout': { kind: 'number', means: 'MS', help: 'until all of a request is here (120000)' },
  'upstream-timeout': { kind: 'number', means: 'MS', help: 'until an upstream has answered with headers (600000)' },
  'store-timeout': { kind: 'number', means: 'MS', help: 'that one call of the store may take (5000); 0: no limit' },
  'idle-timeout': { kind: 'number', means: 'MS', help: 'abort if an upstream sends no byte for this long (300000)' },
  'per-minute': { kind: 'number', means: 'N', help: 'requests a minute for each key (600); 0: no limit' },
  grace: { kind: 'number', means: 'MS', help: 'that requests under way may take at shutdown (30000)' },
  'drain-delay': {
    kind: 'number',
    means: 'MS',
    help: 'requests are still served so long after SIGTERM, while /suture/ready says 503 (0)',
  },
  log: { kind: 'text', one: ['json', 'off'], help: 'a line for each request on standard error (json)' },
  offline: { kind: 'switch', help: 'the built-in strict provider behind every name, whatever keys are set' },
  online: { kind: 'switch', help: 'all providers’ own addresses, though no key is set: callers bring theirs' },
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
