/**
 * Which upstreams `suture serve` has: those that are named, else those a key is set for, else the built-in strict provider. No others can be reached.
 */
import { SutureError } from '../../core/index.ts'
import { knownUpstreams, type UpstreamOptions } from '../../gateway/index.ts'
import type { ProviderId } from '../../index.ts'
import type { Values } from './settings.ts'

/** Where each provider's own clients look for its key. */
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

/** Undefined: nothing is configured, so the built-in provider is served. */
export function tableOf(values: Values, env: Env): Table | undefined {
  if (values.offline) return undefined
  const all = own(env)
  const named = (values.upstream ?? []).map((text) => namedIn(text, env, all))
  if (values.online || named.length > 0) return { ...(values.online ? all : {}), ...Object.fromEntries(named) }
  const keyed = Object.entries(all).filter(([, { apiKey }]) => apiKey !== undefined)
  return keyed.length === 0 ? undefined : Object.fromEntries(keyed)
}

function own(env: Env): Table {
  const region = env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION']
  const known = Object.entries(knownUpstreams) as [ProviderId, string][]
  const entries = known.map(([name, url]) => {
    const apiKey = keyOf(name, env)
    const there = name === 'bedrock' && region && /^[\w-]+$/.test(region) ? url.replace('us-east-1', region) : url
    return [name, { url: there, provider: name, ...(apiKey === undefined ? {} : { apiKey }) }] as const
  })
  return Object.fromEntries(entries)
}

function namedIn(text: string, env: Env, all: Table): readonly [string, UpstreamOptions] {
  const itself = Object.hasOwn(all, text) ? all[text] : undefined
  if (itself) return [text, itself]
  const [, name, address, provider] = /^([a-z0-9][a-z0-9-]*)=([^,]+)(?:,([\w-]+))?$/.exec(text) ?? []
  if (name === undefined || address === undefined || !/^https?:\/\/[^/]/.test(address) || !URL.canParse(address))
    throw new SutureError(
      'bad-option',
      `"${text}" is not an upstream. Write NAME=URL or NAME=URL,PROVIDER, as in local=http://127.0.0.1:8000,vllm, or the name of a provider: ${Object.keys(all).join(', ')}.`,
      {},
    )
  if (name === 'suture')
    throw new SutureError('bad-option', 'The name "suture" is reserved for the gateway. Choose another name.', {})
  const apiKey = keyOf(name, env)
  // The gateway checks the id.
  return [
    name,
    {
      url: address,
      ...(provider ? { provider: provider as ProviderId } : {}),
      ...(apiKey === undefined ? {} : { apiKey }),
    },
  ]
}

function isKnown(name: string): name is keyof typeof KEYS {
  return Object.hasOwn(KEYS, name)
}

/** From the environment only, so that it stands in no file of ours and in no list of processes. */
function keyOf(name: string, env: Env): string | undefined {
  const own = `SUTURE_KEY_${name.toUpperCase().replaceAll('-', '_')}`
  return [own, ...(isKnown(name) ? KEYS[name] : [])]
    .map((one) => env[one])
    .find((value) => value !== undefined && value !== '')
}
