/**
 * Who is behind the gateway: names, addresses, and which path leads to which. An address that was not configured is never asked.
 */
import type { Dispatcher } from 'undici'
import { SutureError } from '../core/index.ts'
import { type Address, type Endpoint, endpointOf, providerNamed, type Settings } from '../guard/core.ts'
import type { Heads } from './headers.ts'
import { Problem } from './problem.ts'
import { Scrub } from './scrub.ts'
import { plainPath, type Target } from './target.ts'
import { loadPool } from './undici.ts'

/** One upstream as it is configured. */
export interface UpstreamOptions {
  /** `https://api.openai.com`, with a path where all paths of it have one. */
  readonly url: string
  /** Whose laws hold there; by name or host unless told. */
  readonly provider?: string
  /** The key that goes there when the caller brings none of the provider's. */
  readonly key?: string
}

/** Addresses that need no configuration. */
export const known: Readonly<Record<string, string>> = {
  openai: 'https://api.openai.com',
  anthropic: 'https://api.anthropic.com',
  gemini: 'https://generativelanguage.googleapis.com',
  mistral: 'https://api.mistral.ai',
  openrouter: 'https://openrouter.ai/api',
  deepseek: 'https://api.deepseek.com',
  groq: 'https://api.groq.com/openai',
  xai: 'https://api.x.ai',
  moonshot: 'https://api.moonshot.ai',
  cerebras: 'https://api.cerebras.ai',
  perplexity: 'https://api.perplexity.ai',
  mimo: 'https://api.xiaomimimo.com',
  bedrock: 'https://bedrock-runtime.us-east-1.amazonaws.com',
}

export interface UpstreamEntry {
  readonly name: string
  readonly url: URL
  readonly base: string
  readonly pool: Dispatcher
  readonly provider: string | undefined
  readonly key: string | undefined
  /** Masks that key in answers. */
  readonly scrub: Scrub | undefined
  /** By the path that was asked for, where the host names this one. */
  readonly ways: Map<string, Way>
}

export interface Timeouts {
  /** Milliseconds until the upstream's headers must be there. */
  readonly headers: number
  /** Milliseconds of silence inside an answer. */
  readonly silence: number
  readonly connect: number
}

/** Where a request goes. */
export interface Way {
  readonly upstream: UpstreamEntry
  /** The path at the upstream, without the query. */
  readonly path: string
  /** Whose endpoint it is, once somebody asked; null: nobody's that the address would tell. */
  endpoint?: Endpoint | null
  /** What went this way last had to be changed. */
  mended?: boolean
}

const OWN: readonly (readonly [RegExp, string])[] = [
  [/\/v1\/messages(\/|$)/, 'anthropic'],
  [/\/(chat\/completions|responses)(\/|$)/, 'openai'],
  [/^\/v1(beta|alpha)?\/(models\/[^/]+:|cachedContents|files)/, 'gemini'],
  [/^\/model\/[^/]+\//, 'bedrock'],
]

export class Upstreams {
  private readonly entries = new Map<string, UpstreamEntry>()
  /** Those names in lower case, as hosts are compared. */
  private readonly labels = new Map<string, UpstreamEntry>()
  private readonly fallback: string | undefined
  /** The same few paths are asked for again and again. */
  private readonly ways = new Map<string, Way>()
  private host: { readonly of: string; readonly upstream: UpstreamEntry | undefined } | undefined

  constructor(options: Readonly<Record<string, UpstreamOptions>>, fallback: string | undefined, timeouts: Timeouts) {
    for (const [name, one] of Object.entries(options)) {
      const entry = entryOf(name, one, timeouts)
      this.entries.set(name, entry)
      this.labels.set(name.toLowerCase(), entry)
    }
    if (fallback !== undefined && !this.entries.has(fallback))
      throw new SutureError(
        'bad-option',
        `The default "${fallback}" is no upstream. There are ${this.names.join(', ')}.`,
        { default: fallback },
      )
    this.fallback = fallback
  }

  get names(): readonly string[] {
    return [...this.entries.keys()]
  }

  /** The one that the host's first label names. */
  hosted(headers: Heads): UpstreamEntry | undefined {
    const host = headers.get('host') ?? ''
    if (this.host?.of !== host) {
      const label = /^([a-z0-9-]+)\./i.exec(host)?.[1]?.toLowerCase()
      this.host = { of: host, upstream: label === undefined ? undefined : this.labels.get(label) }
    }
    return this.host.upstream
  }

  /** By the host's first label, the path's first segment, the default, or what the path says by itself. */
  find({ path }: Target, headers: Heads): Way {
    const hosted = this.hosted(headers)
    const ways = hosted ? hosted.ways : this.ways
    let way = ways.get(path)
    if (way) return way
    way = hosted ? { upstream: hosted, path: hosted.base + path } : this.look(path)
    if (!way) return this.guess(path, headers)
    if (ways.size >= MOST_PATHS) ways.clear()
    ways.set(path, way)
    return way
  }

  /** What the path alone says. */
  private look(path: string): Way | undefined {
    const end = path.indexOf('/', 1)
    const first = end < 0 ? path.slice(1) : path.slice(1, end)
    const prefixed = this.entries.get(first)
    if (prefixed) return { upstream: prefixed, path: prefixed.base + (path.slice(first.length + 1) || '/') }
    const upstream = this.fallback === undefined ? undefined : this.entries.get(this.fallback)
    return upstream && { upstream, path: upstream.base + path }
  }

  private guess(path: string, headers: Heads): Way {
    const plain = this.fallback === undefined && /^\/(v\d|model\/)/.test(path)
    const upstream = plain ? this.entries.get(guessed(path, headers)) : undefined
    if (upstream) return { upstream, path: upstream.base + path }
    throw new Problem(
      'no-such-upstream',
      `No upstream is at this path. There are ${this.names.map((one) => `/${one}/…`).join(', ')}, or start the gateway with --upstream NAME=URL.`,
    )
  }

  async close(): Promise<void> {
    await Promise.all([...this.entries.values()].map(({ pool }) => pool.destroy()))
  }
}

const MOST_PATHS = 256

/** Whose endpoint this is, if it is one that is guarded. */
export function endpointAt(way: Way, settings: Settings): Endpoint | undefined {
  if (way.endpoint === undefined) way.endpoint = endpointIn(way, settings) ?? null
  return way.endpoint ?? undefined
}

/** The same where only the body tells it. */
export function endpointIn(way: Way, settings: Settings, body?: unknown): Endpoint | undefined {
  const { upstream } = way
  const path = plainPath(way.path)
  const address: Address = { host: upstream.url.hostname, path }
  const { dialect } = settings
  const { provider } = upstream
  return endpointOf(address, { provider, dialect }, body)
}

/** Whether a name is that of a provider whose laws are known. */
function isProvider(name: string): boolean {
  try {
    endpointOf({ host: '', path: '' }, { provider: name })
    return true
  } catch {
    return false
  }
}

/** Whose path this is. */
function ownOf(path: string): string | undefined {
  return OWN.find(([pattern]) => pattern.test(path))?.[1]
}

function guessed(path: string, headers: Heads): string {
  return ownOf(path) ?? (headers.get('anthropic-version') === undefined ? 'openai' : 'anthropic')
}

function entryOf(name: string, { url: text, provider, key }: UpstreamOptions, timeouts: Timeouts): UpstreamEntry {
  const url = new URL(text)
  const Pool = loadPool()
  const pool = new Pool(url.origin, {
    headersTimeout: timeouts.headers,
    bodyTimeout: timeouts.silence,
    connect: { timeout: timeouts.connect },
    // Most of what is slow here is the model: a connection that waits for it must not hold up another request.
    pipelining: 1,
  })
  if (provider !== undefined) providerNamed(provider)
  const laws = provider ?? (isProvider(name) ? name : undefined)
  const scrub = key === undefined ? undefined : new Scrub(key)
  return { name, url, base: url.pathname.replace(/\/$/, ''), pool, provider: laws, key, scrub, ways: new Map() }
}
