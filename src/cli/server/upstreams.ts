/** The upstreams of `suture serve`: the named ones, else the providers' own addresses. No others can be reached. */
import { knownUpstreams, type UpstreamOptions } from '../../gateway/index.ts'
import type { ProviderId } from '../../index.ts'
import { CommandError } from '../command.ts'

/** The variables in which each provider's own clients look for its key. */
const KEYS: Readonly<Record<keyof typeof knownUpstreams, readonly string[]>> = {
  openai: ['OPENAI_API_KEY'],
  anthropic: ['ANTHROPIC_API_KEY'],
  gemini: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  mistral: ['MISTRAL_API_KEY'],
  openrouter: ['OPENROUTER_API_KEY'],
  deepseek: ['DEEPSEEK_API_KEY'],
  groq: ['GROQ_API_KEY'],
  xai: ['XAI_API_KEY'],
  moonshot: ['MOONSHOT_API_KEY'],
  cerebras: ['CEREBRAS_API_KEY'],
  perplexity: ['PERPLEXITY_API_KEY'],
  mimo: ['MIMO_API_KEY'],
  bedrock: ['AWS_BEARER_TOKEN_BEDROCK'],
}

type Env = Readonly<Record<string, string | undefined>>
export type Table = Readonly<Record<string, UpstreamOptions>>

/** `named`: `NAME=URL`, `NAME=URL,PROVIDER` or a provider's name. `online`: also the providers' own addresses. */
export function tableOf(named: readonly string[], online: boolean, env: Env): Table {
  const all = ownAddresses(env)
  const entries = named.map((text) => namedIn(text, env, all))
  return { ...(online || named.length === 0 ? all : {}), ...Object.fromEntries(entries) }
}

function ownAddresses(env: Env): Table {
  const region = env['AWS_REGION'] || env['AWS_DEFAULT_REGION']
  const known = Object.entries(knownUpstreams) as [keyof typeof knownUpstreams, string][]
  const entries = known.map(([name, address]) => {
    const isElsewhere = name === 'bedrock' && region && /^[\w-]+$/.test(region)
    const url = isElsewhere ? address.replace('us-east-1', region) : address
    return [name, { url, provider: name, ...keyOf(name, env) }] as const
  })
  return Object.fromEntries(entries)
}

function namedIn(text: string, env: Env, all: Table): readonly [string, UpstreamOptions] {
  const itself = Object.hasOwn(all, text) ? all[text] : undefined
  if (itself) return [text, itself]
  const [, name, url, provider] = /^([a-z0-9][a-z0-9-]*)=([^,]+)(?:,([\w-]+))?$/.exec(text) ?? []
  if (name === undefined || url === undefined || !/^https?:\/\/[^/]/.test(url) || !URL.canParse(url))
    throw new CommandError(
      `"${text}" is not an upstream. Write NAME=URL or NAME=URL,PROVIDER, as in local=http://127.0.0.1:8000,vllm, or the name of a provider: ${Object.keys(all).join(', ')}.`,
    )
  if (name === 'suture') throw new CommandError('The name "suture" is reserved for the gateway. Choose another name.')
  // The gateway checks the id.
  return [name, { url, ...(provider ? { provider: provider as ProviderId } : {}), ...keyOf(name, env) }]
}

/** From the environment only: a key in a file or a flag could be read by others. A blank variable is not set. */
function keyOf(name: string, env: Env): { readonly apiKey?: string } {
  const own = `SUTURE_KEY_${name.toUpperCase().replaceAll('-', '_')}`
  const names = [own, ...(Object.hasOwn(KEYS, name) ? KEYS[name as keyof typeof KEYS] : [])]
  const apiKey = names.map((one) => env[one]?.trim()).find((value) => value)
  return apiKey === undefined ? {} : { apiKey }
}
