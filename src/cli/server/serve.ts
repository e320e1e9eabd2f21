/**
 * `suture serve`: wires store, upstreams and gateway together, and takes them apart again.
 */
import { parseArgs } from 'node:util'
import { isSutureError, SutureError } from '../../core/index.ts'
import { suggest } from '../../core/options.ts'
import { type GatewayOptions, gateway, type KeyOptions, knownUpstreams } from '../../gateway/index.ts'
import type { ProviderId } from '../../index.ts'
import { openStore, type Store } from '../../session.ts'
import { readRegular } from '../../session-files/node/regular-file.ts'
import { gatewayViewer } from '../../viewer/gateway-viewer.ts'
import { oddVariables } from '../environment.ts'
import { serveHelp } from '../help.ts'
import { wantsColors } from '../terminal/index.ts'
import { compactor, keepingShort } from './compactor.ts'
import { demonstrate } from './demo.ts'
import { logTo } from './log.ts'
import { settings, settled, type Values } from './settings.ts'
import { type Table, tableOf } from './upstreams.ts'

/** What a command needs of the process around it. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Characters in a line, if the output is a terminal. */
  readonly columns?: number | undefined
  print(text: string): void
  /** Without an end of line: what comes bit by bit. */
  write(text: string): void
  complain(text: string): void
  /** Resolves with the signal when the process is asked to end. */
  readonly stopped: Promise<string>
}

const NAMED = [
  'openai',
  'anthropic',
  'gemini',
  'bedrock',
  'mistral',
  'openrouter',
  'deepseek',
  'groq',
  'xai',
  'moonshot',
] as const satisfies readonly ProviderId[]

export async function serve(args: readonly string[], around: Surroundings): Promise<number> {
  const flags = flagsOf(args)
  if (flags['help']) {
    around.print(serveHelp())
    return 0
  }
  const values = settled(flags, around.env, fileOf(flags['config'] ?? around.env['SUTURE_CONFIG']))
  const upstreams = [...Object.keys(knownUpstreams), ...(values.upstream ?? []).map((text) => text.split('=', 1)[0]!)]
  for (const line of oddVariables(around.env, upstreams)) around.complain(line)
  const contract = await contractOf(tableOf(values, around.env))
  const closing = [contract.close]
  try {
    const store = await storeOf(values, around)
    if (store) closing.push(() => store.close())
    // Log lines would fall into the demonstration's screen: there only if they were asked for.
    const isQuiet = values.log === 'off' || (flags['demo'] && values.log === undefined)
    const log = isQuiet ? undefined : logTo(around.complain)
    if (log) closing.push(async () => log.flush())
    const options = optionsOf(values, contract.table, store)
    const gate = gateway({ ...options, ...given('viewer', gatewayViewer()), ...(log ? { log: log.line } : {}) })
    const { host, port } = values
    const listening = await gate.listen({ ...given('host', host), ...given('port', port) })
    let delay = 0
    closing.push(() => listening.close(values['drain-timeout-ms'], delay))
    if (!flags['demo'] || contract.url === undefined) around.print(welcome(listening.url, contract, store))
    if (flags['demo']) await runDemo(listening.url, contract.url, around, Boolean(flags['once']))
    // The delay is for load balancers; after Ctrl-C nothing waits for it.
    if (!flags['once'] && (await around.stopped) !== 'SIGINT') delay = values['drain-delay-ms'] ?? 0
  } finally {
    // Also when it did not get that far: what was started would keep the process alive.
    for (const close of closing.reverse()) await close()
  }
  return 0
}

/** The conversation of the demonstration ends with the gateway; with `--once` the gateway waits for it. */
async function runDemo(url: string, provider: string | undefined, around: Surroundings, once: boolean): Promise<void> {
  const stop = new AbortController()
  void around.stopped.then(() => stop.abort())
  const { conversation } = await demonstrate(url, provider, {
    print: (text) => around.print(text),
    colors: wantsColors(around.env, around.columns !== undefined),
    width: around.columns ?? 100,
    pauseMs: once ? 0 : 2000,
    signal: stop.signal,
  })
  if (once) await conversation
}

function flagsOf(args: readonly string[]): Record<string, unknown> {
  const options: Record<string, { type: 'string' | 'boolean'; multiple?: boolean; short?: string }> = {
    help: { type: 'boolean', short: 'h' },
    config: { type: 'string', short: 'c' },
    demo: { type: 'boolean' },
    once: { type: 'boolean' },
  }
  for (const [name, setting] of Object.entries(settings)) {
    const type = setting.kind === 'switch' ? 'boolean' : 'string'
    options[name] = {
      type,
      ...(setting.kind === 'list' ? { multiple: true } : {}),
      ...('short' in setting ? { short: setting.short } : {}),
    }
  }
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values
  } catch (error) {
    const said = (error as Error).message.replace(/\.?$/, '.')
    const [, flag] = /Unknown option '--?([\w-]+)'/.exec(said) ?? []
    const near = flag === undefined ? undefined : suggest(flag, Object.keys(options))
    const hint = near === undefined ? '' : ` Did you mean "--${near}"?`
    throw new SutureError('bad-option', `${said}${hint} \`suture serve --help\` lists all options.`, {})
  }
}

function fileOf(path: unknown): { path: string; values: Record<string, unknown> } | undefined {
  if (typeof path !== 'string' || path === '') return undefined
  try {
    const values: unknown = JSON.parse(readRegular(path).toString())
    if (typeof values !== 'object' || values === null || Array.isArray(values))
      throw new Error('it is not a JSON object')
    return { path, values: values as Record<string, unknown> }
  } catch (error) {
    throw new SutureError('bad-option', `The configuration ${path} cannot be read: ${(error as Error).message}.`, {})
  }
}

interface Upstreams {
  readonly table: Table
  /** The built-in provider's own address, where it is the one that answers. */
  readonly url?: string
  close(): Promise<void>
}

async function contractOf(table: Table | undefined): Promise<Upstreams> {
  if (table) return { table, close: async () => {} }
  const { startContract } = await import('../../../contract/index.ts')
  const running = await startContract({ maxRequests: 50 })
  const { url } = running
  return {
    url,
    table: Object.fromEntries(NAMED.map((name) => [name, { url: `${url}/${name}`, provider: name }])),
    close: () => running.close(),
  }
}

/** Default: SQLite. If its driver is missing and no store was named: memory, with a message. */
async function storeOf({ store }: Values, { complain }: Surroundings): Promise<Store | undefined> {
  if (store === 'none') return undefined
  if (store !== undefined) return openStore(store)
  try {
    return await openStore('sqlite:./suture.db')
  } catch (error) {
    if (!isSutureError(error, 'store-missing') && !isSutureError(error, 'store-unsafe')) throw error
    complain(`${error.message}\nUntil then sessions are kept in memory and end with the gateway.`)
    return openStore('memory:')
  }
}

function optionsOf(values: Values, table: Table, store: Store | undefined): GatewayOptions {
  const limits = {
    ...given('maxBodyBytes', values['max-body-bytes']),
    ...given('maxBufferedBytes', values['max-buffered-bytes']),
    ...given('maxResponseBytes', values['max-response-bytes']),
    ...given('maxHeaderBytes', values['max-header-bytes']),
    ...given('requestTimeoutMs', values['request-timeout-ms']),
    ...given('upstreamTimeoutMs', values['upstream-timeout-ms']),
    ...given('storeTimeoutMs', values['store-timeout-ms']),
    ...given('idleTimeoutMs', values['idle-timeout-ms']),
    ...given('perMinute', values['per-minute']),
  }
  return {
    upstreams: table,
    limits,
    ...given('default', values.default),
    ...given('derive', values.derive),
    ...given('hosts', values['host-name']),
    ...(store ? { store, compactor: values['no-compact'] ? compactor : keepingShort() } : {}),
    guard: {
      ...given('level', values['guard-level'] as 'recover'),
      ...given('signatureMemory', values['signature-memory']),
    },
    keys: (values.key ?? []).map(keyIn),
  }
}

function given<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: V }
}

function keyIn(text: string): KeyOptions {
  const [, name, hash, perMinute] = /^([\w.-]+)=(sha256:[0-9a-f]{64})(?::(\d+))?$/i.exec(text) ?? []
  if (name !== undefined && hash !== undefined)
    return { name, hash, ...(perMinute === undefined ? {} : { perMinute: Number(perMinute) }) }
  throw new SutureError(
    'bad-option',
    'A key is configured as NAME=sha256:HASH, or NAME=sha256:HASH:N for N requests a minute. `suture key NAME` makes one.',
    {},
  )
}

function welcome(url: string, upstreams: Upstreams, store: Store | undefined): string {
  const who = upstreams.url
    ? 'the built-in strict provider answers (no key and no upstream is configured)'
    : Object.entries(upstreams.table)
        .map(([name, { url: address }]) => `/${name} → ${address}`)
        .join('\n            ')
  return `suture      ${url}
upstreams   ${who}
sessions    ${store ? store.name : 'none'}
try         OPENAI_BASE_URL=${url}/openai/v1   ANTHROPIC_BASE_URL=${url}/anthropic
            curl ${url}/suture/health
viewer      ${url}/suture/viewer/`
}
