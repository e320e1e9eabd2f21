/**
 * `suture serve --check`: whether a gateway with these settings would start, and reach its store and its upstreams.
 * Nothing is written and no key is sent. The configured port is not used: a running gateway may hold it.
 */
import { type GatewayOptions, gateway } from '../../gateway/index.ts'
import { checkDatabase } from '../../stores/drivers.ts'
import { type Context, EXIT } from '../command.ts'
import { errorText } from '../error-text.ts'

const TIMEOUT_MS = 5_000

interface Checked {
  readonly options: GatewayOptions
  readonly host: string | undefined
  readonly store: string
}

/** One line for each step. Exit code 1 if one failed. */
export async function checkGateway({ options, host, store }: Checked, { out }: Context): Promise<number> {
  let code: number = EXIT.ok
  const step = async (name: string, check: () => Promise<string>) => {
    try {
      out(`ok      ${name}: ${await check()}`)
    } catch (error) {
      out(`failed  ${name}: ${errorText(error)}`)
      code = EXIT.findings
    }
  }
  await step('configuration', () => startable(options, host))
  await step('store', () => storeAnswers(store))
  for (const [name, { url, apiKey, emulator }] of Object.entries(options.upstreams)) {
    const key = emulator ? 'emulator' : apiKey === undefined ? "the caller's own key" : 'key from the environment'
    await step(`upstream ${name}`, async () => `${url} answers with ${await statusOf(url)}, ${key}`)
  }
  return code
}

async function startable(options: GatewayOptions, host: string | undefined): Promise<string> {
  const listening = await gateway(options).listen({ port: 0, ...(host === undefined ? {} : { host }) })
  await listening.close(0)
  const { length } = options.keys ?? []
  return length === 0 ? 'no keys: any caller that reaches it may use it' : `${length} ${length === 1 ? 'key' : 'keys'}`
}

async function storeAnswers(address: string): Promise<string> {
  if (address !== 'none' && address !== 'memory:') await checkDatabase(address)
  return address.replace(/:\/\/.*@/, '://…@')
}

/** Any status shows that the upstream is there: without a key most answer 401 or 404. */
async function statusOf(url: string): Promise<number> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(url, { method: 'HEAD', redirect: 'manual', signal }).catch((error: Error) => {
    const cause = error.cause instanceof Error ? error.cause.message : error.message
    throw new Error(`${url} cannot be reached: ${cause}`)
  })
  await response.body?.cancel()
  return response.status
}
