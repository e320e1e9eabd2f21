/**
 * `suture serve --check`: whether a gateway with these settings would start, and reach its store and its upstreams.
 * Nothing is written and no key is sent. The configured port is not used: a running gateway may hold it.
 */
import { type GatewayOptions, gateway, type UpstreamOptions } from '../../gateway/index.ts'
import { checkDatabase } from '../../stores/drivers.ts'
import { CommandError, type Context, EXIT } from '../command.ts'
import { errorText } from '../error-text.ts'

const TIMEOUT_MS = 5_000

interface Checked {
  readonly options: GatewayOptions
  readonly host: string | undefined
  readonly store: string
}

/** One line for each step. Exit code 1 if one failed. */
export async function checkGateway({ options, host, store }: Checked, { out }: Context): Promise<number> {
  const upstreams = Object.entries(options.upstreams).map(([name, upstream]) =>
    step(`upstream ${name}`, () => upstreamAnswers(upstream)),
  )
  const steps = [
    step('configuration', () => startable(options, host)),
    step('store', () => storeAnswers(store)),
    ...upstreams,
  ]
  const lines = await Promise.all(steps)
  for (const line of lines) out(line)
  return lines.some((line) => line.startsWith('failed')) ? EXIT.findings : EXIT.ok
}

async function step(name: string, check: () => Promise<string>): Promise<string> {
  try {
    return `ok      ${name}: ${await check()}`
  } catch (error) {
    return `failed  ${name}: ${errorText(error)}`
  }
}

async function startable(options: GatewayOptions, host: string | undefined): Promise<string> {
  const listening = await gateway(options).listen({ port: 0, ...(host === undefined ? {} : { host }) })
  await listening.close(0)
  const { length } = options.keys ?? []
  return length === 0 ? 'no keys: any caller that reaches it may use it' : `${length} ${length === 1 ? 'key' : 'keys'}`
}

async function storeAnswers(address: string): Promise<string> {
  if (address !== 'none' && address !== 'memory:') await checkDatabase(address)
  return withoutCredentials(address)
}

function withoutCredentials(address: string): string {
  const [begin, end] = [address.indexOf('://') + 3, address.lastIndexOf('@')]
  return begin < 3 || end < begin ? address : `${address.slice(0, begin)}…${address.slice(end)}`
}

/** Any status shows that the upstream is there: without a key most answer 401 or 404. */
async function upstreamAnswers({ url, apiKey, emulator }: UpstreamOptions): Promise<string> {
  const key = emulator ? 'emulator' : apiKey === undefined ? "the caller's own key" : 'key from the environment'
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(url, { method: 'HEAD', redirect: 'manual', signal }).catch((error: Error) => {
    const cause = error.cause instanceof Error ? error.cause.message : error.message
    throw new CommandError(`${url} cannot be reached: ${cause}`)
  })
  await response.body?.cancel()
  return `${url} answers with ${response.status}, ${key}`
}
