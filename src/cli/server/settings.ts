/**
 * The settings of `suture serve`. Each is a flag, an environment variable and a key of the `--config` file. Errors name
 * the source of a value.
 */
import { knownNames } from '../../core/options.ts'
import { DEFAULT_PORT } from '../../gateway/index.ts'
import { checkValue } from '../arguments.ts'
import { type Arguments, CommandError, type OptionSpec, type Values } from '../command.ts'
import { camel, readConfig, settingOf } from '../config.ts'

/** By flag; `--max-body-bytes` is `SUTURE_MAX_BODY_BYTES` in the environment and `maxBodyBytes` in the file. */
export const settings = {
  host: { type: 'string', value: 'ADDRESS', help: 'address to listen on (127.0.0.1); others than loopback need keys' },
  port: { type: 'number', value: 'N', max: 65_535, short: 'p', help: `port (${DEFAULT_PORT}); 0: any free port` },
  upstream: {
    type: 'string',
    multiple: true,
    value: 'NAME[=URL[,PROVIDER]]',
    short: 'u',
    help: 'an upstream at /NAME/…, checked as PROVIDER; without --online no other can be reached',
  },
  default: { type: 'string', value: 'NAME', help: 'the upstream of plain /v1/… paths; default: chosen by path' },
  store: { type: 'string', value: 'ADDRESS', short: 's', help: 'sqlite:./suture.db, postgres://…, memory: or none' },
  'guard-level': { type: 'string', choices: ['off', 'lint', 'repair', 'recover'], help: 'how far to go (recover)' },
  'signature-memory': { type: 'boolean', help: 'keep reasoning and signatures by call, restore them where dropped' },
  derive: { type: 'boolean', help: 'also record conversations without a session id, by their first messages' },
  'no-compact': { type: 'boolean', help: 'never compact a stored conversation automatically' },
  key: { type: 'string', multiple: true, value: 'NAME=sha256:HASH[:N]', help: 'a key; N: its requests a minute' },
  'host-name': { type: 'string', multiple: true, value: 'NAME', help: 'another host name, if the gateway has no keys' },
  'max-body-bytes': { type: 'number', value: 'BYTES', help: 'maximum size of a request body (64 MiB)' },
  'max-buffered-bytes': { type: 'number', value: 'BYTES', help: 'maximum memory for all bodies together (512 MiB)' },
  'max-response-bytes': { type: 'number', value: 'BYTES', help: 'maximum size of a response read whole (64 MiB)' },
  'max-header-bytes': { type: 'number', value: 'BYTES', help: 'maximum size of the request headers (32 KiB)' },
  'request-timeout-ms': { type: 'number', value: 'MS', help: 'maximum time until a request has arrived (120000)' },
  'upstream-timeout-ms': { type: 'number', value: 'MS', help: 'maximum time until response headers arrive (600000)' },
  'store-timeout-ms': { type: 'number', value: 'MS', help: 'maximum time of one store operation (5000); 0: no limit' },
  'idle-timeout-ms': { type: 'number', value: 'MS', help: 'abort if an upstream sends no byte for this long (300000)' },
  'per-minute': { type: 'number', value: 'N', help: 'requests a minute for each key (600); 0: no limit' },
  'drain-timeout-ms': { type: 'number', value: 'MS', help: 'maximum time for requests to finish at shutdown (30000)' },
  'drain-delay-ms': { type: 'number', value: 'MS', help: 'keep serving after SIGTERM, /suture/ready answers 503 (0)' },
  log: { type: 'string', choices: ['json', 'off'], help: 'a line for each request on standard error (json)' },
  offline: { type: 'boolean', help: 'a built-in emulator of the providers answers all requests; no network' },
  online: { type: 'boolean', help: "with --upstream: the providers' own addresses can be reached as well" },
} as const satisfies Record<string, OptionSpec>

export type Name = keyof typeof settings
const entries = Object.entries(settings) as [Name, OptionSpec][]

type Env = Readonly<Record<string, string | undefined>>
type File = Readonly<Record<string, unknown>>

/** Values of settings that were not given as flags: from the environment, else from the file. */
export function settingsOf(given: Arguments, env: Env): Values {
  const path = given.text('config') || env['SUTURE_CONFIG'] || undefined
  const file = path === undefined ? {} : readConfig(path)
  for (const name of Object.keys(file)) checkName(name, path!)
  const values: Record<string, Values[string]> = {}
  for (const [name, option] of entries)
    if (!given.has(name)) values[name] = inEnvironment(name, option, env) ?? inFile(name, option, file, path)
  return values
}

function inEnvironment(name: Name, option: OptionSpec, env: Env): Values[string] {
  const variable = environmentName(name)
  const text = env[variable]
  // Kubernetes sets SUTURE_PORT to tcp://… in every pod beside a service named suture.
  if (text === undefined || text === '' || (name === 'port' && text.startsWith('tcp://'))) return undefined
  return checked(variable, option.multiple ? text.split(/[\s;]+/).filter(Boolean) : text, option)
}

function inFile(name: Name, option: OptionSpec, file: File, path: string | undefined): Values[string] {
  const value = file[camel(name)]
  if (value === undefined) return undefined
  const where = `${camel(name)} in ${path}`
  return checked(where, settingOf(value, where), option)
}

/** The value in the type that the parser of flags returns. */
function checked(where: string, value: NonNullable<Values[string]>, option: OptionSpec): Values[string] {
  const wrong = (type: string) => new CommandError(`${where} must be ${type}, but got "${value}".`)
  if (option.type === 'boolean') {
    if (/^(1|true|yes|on)$/i.test(String(value))) return true
    if (/^(0|false|no|off)$/i.test(String(value))) return false
    throw wrong('true or false')
  }
  if (typeof value === 'boolean' || value === '') throw wrong('a text')
  if (Array.isArray(value) && !option.multiple) throw wrong('one value')
  checkValue(where, value, option)
  return option.multiple && !Array.isArray(value) ? [value] : value
}

/** An unknown key in the file is an error: it is usually a typo. */
function checkName(name: string, path: string): void {
  const names = entries.map(([known]) => camel(known))
  if (names.includes(name)) return
  throw new CommandError(`${name} in ${path}: there is no such setting.${knownNames(name, names)}`)
}

export function environmentName(name: Name): string {
  return `SUTURE_${name.toUpperCase().replaceAll('-', '_')}`
}
