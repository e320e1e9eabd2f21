/** A gateway in front of the contract, as tests need it. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type RunningContract, type ServerOptions, startContract } from '../../contract/index.ts'
import { type GatewayOptions, gateway, type Listening, type LogLine } from '../../src/gateway/index.ts'

export interface Running {
  readonly url: string
  readonly contract: RunningContract
  /** The log, once everything that was asked is over. */
  logged(): Promise<LogLine[]>
  readonly listening: Listening
  metrics(): string
  /** Ids of sessions, without whose they are. */
  ids(): Promise<string[]>
  close(): Promise<void>
}

const NAMES = ['openai', 'anthropic', 'gemini', 'bedrock', 'mistral', 'openrouter'] as const

export async function running(options: Partial<GatewayOptions> = {}, contracted: ServerOptions = {}): Promise<Running> {
  const contract = await startContract({ maxRequests: 5_000, ...contracted })
  const lines: LogLine[] = []
  const upstreams = Object.fromEntries(NAMES.map((name) => [name, { url: `${contract.url}/${name}`, provider: name }]))
  const app = gateway({ upstreams, log: (line) => lines.push(line), ...options })
  const listening = await app.listen({ port: 0 })
  const logged = async () => {
    while (!/^suture_in_flight 0$/m.test(app.metrics())) await new Promise((resolve) => setTimeout(resolve, 5))
    return lines
  }
  const close = async () => {
    await listening.close(0)
    await contract.close()
  }
  const ids = async () => (await options.store!.list('', 1e6)).map((name) => name.slice(name.indexOf('/') + 1))
  return { ids, url: listening.url, contract, logged, listening, metrics: app.metrics, close }
}

/** A gateway in front of an upstream of a few lines, named `own`; both are closed together. */
export async function inFrontOf(
  upstream: RequestListener,
  options: Partial<GatewayOptions> = {},
  base = '',
): Promise<Running> {
  const server = createServer(upstream)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const app = await running({ upstreams: { own: { url: `http://127.0.0.1:${port}${base}` } }, ...options })
  const close = async () => {
    await app.close()
    server.closeAllConnections()
    server.close()
  }
  return { ...app, close }
}
