/** Wires store, upstreams and gateway together, and takes them apart again. */
import { isSutureError } from '../../core/index.ts'
import { type GatewayOptions, gateway, type KeyOptions, knownUpstreams } from '../../gateway/index.ts'
import type { ProviderId } from '../../index.ts'
import { openStore, type Store } from '../../session.ts'
import type { Demo } from '../../viewer/demo-data.ts'
import { gatewayViewer } from '../../viewer/gateway-viewer.ts'
import { type Arguments, CommandError, type Context, EXIT } from '../command.ts'
import { camel } from '../config.ts'
import { checkGateway } from './check.ts'
import { compactor, compactorForAppend } from './compactor.ts'
import { type DemoOptions, demonstrate } from './demo.ts'
import { oddVariables } from './environment.ts'
import { type Log, logTo } from './log.ts'
import { type Name, settings } from './settings.ts'
import { type Table, tableOf } from './upstreams.ts'
import { welcome } from './welcome.ts'

const DEFAULT_STORE = 'sqlite:./suture.db'

/** Settings of the gateway's option `limits`. */
const LIMITS = (Object.keys(settings) as Name[]).filter((name) => /^(?!drain).*(?:-bytes|-ms)$|^per-minute$/.test(name))

export async function serveGateway(args: Arguments, context: Context): Promise<number> {
  const stopped = context.untilStopped()
  const { env } = context.host
  const named = args.values('upstream').map((text) => text.split('=', 1)[0]!)
  for (const line of oddVariables(env, [...Object.keys(knownUpstreams), ...named])) context.error(line)
  const demo: DemoOptions['page'] | undefined = args.flag('demo')
    ? { session: `demo-${Date.now()}`, stories: [] }
    : undefined
  const { table, emulator, close } = await upstreamsOf(args, env)
  const closing = [close]
  try {
    if (args.flag('check')) return await checked(args, table, context)
    const store = await storeOf(args.text('store') ?? (demo && 'memory:'), context)
    if (store) closing.push(() => store.close())
    // Log lines would break the demonstration's screen: `--demo` logs only with `--log`.
    const isQuiet = args.text('log') === 'off' || (demo && !args.has('log'))
    const log = isQuiet ? undefined : logTo(context.error)
    if (log) closing.push(async () => log.flush())
    const options = optionsOf(args, table, store, demo)
    const app = gateway({ ...options, ...(log ? { log: log.line } : {}) })
    const listening = await app.listen({ ...given('host', args.text('host')), ...given('port', args.number('port')) })
    const timeoutMs = args.number('drain-timeout-ms') ?? 30_000
    let delay = 0
    closing.push(async () => {
      await listening.close(timeoutMs, delay)
      log?.line({ level: 'info', event: 'stopped' })
    })
    if (demo) await runDemo(demo, listening.url, emulator!, context, stopped, args.flag('once'))
    else context.out(welcome(listening.url, options))
    if (!args.flag('once')) delay = delayAfter(await stopped, args, timeoutMs, log)
  } finally {
    // Also after an error: an open store or server would keep the process alive.
    for (const close of closing.reverse()) await close()
  }
  return EXIT.ok
}

/** The delay is for load balancers; after Ctrl-C nothing waits for it. */
function delayAfter(signal: string, args: Arguments, timeoutMs: number, log: Log | undefined): number {
  const delayMs = signal === 'SIGINT' ? 0 : (args.number('drain-delay-ms') ?? 0)
  log?.line({ level: 'info', event: 'draining', signal, delayMs, timeoutMs })
  log?.flush()
  return delayMs
}

function checked(args: Arguments, table: Table, context: Context): Promise<number> {
  const store = args.text('store') ?? DEFAULT_STORE
  return checkGateway({ options: optionsOf(args, table, undefined), host: args.text('host'), store }, context)
}

/** The conversation of the demonstration ends with the gateway; with `--once` the gateway waits for it. */
async function runDemo(
  page: DemoOptions['page'],
  url: string,
  emulator: string,
  { out, colors }: Context,
  stopped: Promise<string>,
  once: boolean,
): Promise<void> {
  const stop = new AbortController()
  void stopped.then(() => stop.abort())
  const width = process.stdout.columns ?? 100
  const options = { page, print: out, colors, width, pauseMs: once ? 0 : 2000, signal: stop.signal }
  const { conversation } = await demonstrate(url, emulator, options)
  if (once) await conversation
}

interface Upstreams {
  readonly table: Table
  /** The address of the emulator, if there is one. */
  readonly emulator?: string
  close(): Promise<void>
}

async function upstreamsOf(args: Arguments, env: Context['host']['env']): Promise<Upstreams> {
  if (!args.flag('offline') && !args.flag('demo'))
    return { table: tableOf(args.values('upstream'), args.flag('online'), env), close: async () => {} }
  const { PROVIDERS, startContract } = await import('../../../contract/index.ts')
  const running = await startContract({ maxRequests: 50 })
  const { url } = running
  // The gateway checks the ids.
  const emulated = (name: string) => ({ url: `${url}/${name}`, provider: name as ProviderId, emulator: true })
  const entries = PROVIDERS.map((name) => [name, emulated(name)] as const)
  return { table: Object.fromEntries(entries), emulator: url, close: () => running.close() }
}

/** Default: SQLite, for a demonstration memory. Without its driver: memory, with a message. */
async function storeOf(store: string | undefined, { error: complain }: Context): Promise<Store | undefined> {
  if (store === 'none') return undefined
  if (store !== undefined) return openStore(store)
  try {
    return await openStore(DEFAULT_STORE)
  } catch (error) {
    if (!isSutureError(error, 'store-missing') && !isSutureError(error, 'store-unsafe')) throw error
    complain(`${error.message}\nUntil then sessions are kept in memory and end with the gateway.`)
    return openStore('memory:')
  }
}

function optionsOf(args: Arguments, upstreams: Table, store: Store | undefined, demo?: Demo): GatewayOptions {
  const limits = LIMITS.flatMap((name) => (args.has(name) ? [[camel(name), args.number(name)!] as const] : []))
  const hosts = args.values('host-name')
  return {
    upstreams,
    limits: Object.fromEntries(limits),
    hosts,
    derive: args.flag('derive'),
    ...given('default', args.text('default')),
    ...given('viewer', gatewayViewer(demo)),
    ...(store ? { store, compactor: args.flag('no-compact') ? compactor : compactorForAppend() } : {}),
    guard: {
      ...given('level', args.text('guard-level') as 'recover' | undefined),
      signatureMemory: args.flag('signature-memory'),
    },
    keys: args.values('key').map(keyIn),
  }
}

function given<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: V }
}

function keyIn(text: string): KeyOptions {
  const [, name, hash, perMinute] = /^([\w.-]+)=(sha256:[0-9a-f]{64})(?::(\d+))?$/i.exec(text) ?? []
  if (name !== undefined && hash !== undefined)
    return { name, hash, ...(perMinute === undefined ? {} : { perMinute: Number(perMinute) }) }
  throw new CommandError(
    'A key is configured as NAME=sha256:HASH, or NAME=sha256:HASH:N for N requests a minute. `suture key NAME` makes one.',
  )
}
