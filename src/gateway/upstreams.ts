/** Upstreams: names, addresses, and which path belongs to which. Only configured addresses are contacted. */
import type { Dispatcher } from 'undici'
import { SutureError } from '../core/index.ts'
import { type Endpoint, endpointOf, type ProviderId, providerNamed, type Settings } from '../guard/transport.ts'
import { GatewayError } from './gateway-error.ts'
import { type HeaderList, loadPool, plainPath, type Target } from './http/index.ts'
import type { Limits } from './options.ts'
import { KeyMask } from './protection/index.ts'

/** One upstream as it is configured. */
export interface UpstreamOptions {
  /** `https://api.openai.com`, with a path if all its paths share one. */
  readonly url: string
  /** The provider whose constraints apply. Default: by name or host. */
  readonly provider?: ProviderId
  /** The key that is sent if the caller sends none of the provider's. A blank one is not set. */
  readonly apiKey?: string
  /** An emulator of the provider answers, not the provider: responses, logs, metrics and readiness say so. */
  readonly emulator?: boolean
}

/** Addresses that need no configuration. */
export const knownUpstreams = {
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
} as const satisfies Partial<Record<ProviderId, string>>

export type UpstreamEntry = ReturnType<typeof entryOf>

/** Where a request goes. */
export interface Route {
  readonly upstream: UpstreamEntry
  /** The path at the upstream, without the query. */
  readonly path: string
  /** The endpoint, once it was looked up; null: the address does not identify one. */
  endpoint?: Endpoint | null
  /** The last request on this route needed repair. */
  repaired?: boolean
}

const OWN: readonly (readonly [RegExp, string])[] = [
  [/\/v1\/messages(\/|$)/, 'anthropic'],
  [/\/(chat\/completions|responses)(\/|$)/, 'openai'],
  [/^\/v1(beta|alpha)?\/(models\/[^/]+:|cachedContents|files)/, 'gemini'],
  [/^\/model\/[^/]+\//, 'bedrock'],
]

export class Upstreams {
  private readonly entries = new Map<string, UpstreamEntry>()
  /** Names in lower case, for comparison with hosts. */
  private readonly labels = new Map<string, UpstreamEntry>()
  private readonly fallback: string | undefined
  /** A cache of routes: the same few paths repeat. */
  private readonly routes = new Map<string, Route>()
  private host: { readonly of: string; readonly upstream: UpstreamEntry | undefined } | undefined

  constructor(options: Readonly<Record<string, UpstreamOptions>>, fallback: string | undefined, limits: Limits) {
    for (const [name, one] of Object.entries(options)) {
      const entry = entryOf(name, one, limits)
      this.entries.set(name, entry)
      this.labels.set(name.toLowerCase(), entry)
    }
    if (fallback !== undefined && !this.entries.has(fallback))
      throw new SutureError(
        'bad-option',
        `The default upstream "${fallback}" is not configured. Configured: ${this.names.join(', ')}.`,
        { default: fallback },
      )
    this.fallback = fallback
  }

  get names(): readonly string[] {
    return [...this.entries.keys()]
  }

  /** Names of upstreams that only callers with a credential of their own can use. */
  get withoutKey(): readonly string[] {
    return [...this.entries.values()].filter((one) => one.needsCredential).map(({ name }) => name)
  }

  get hasEmulator(): boolean {
    return [...this.entries.values()].some(({ emulator }) => emulator)
  }

  /** The upstream that the first label of the host names. */
  hosted(headers: HeaderList): UpstreamEntry | undefined {
    const host = headers.get('host') ?? ''
    if (this.host?.of !== host) {
      const label = /^([a-z0-9-]+)\./i.exec(host)?.[1]?.toLowerCase()
      this.host = { of: host, upstream: label === undefined ? undefined : this.labels.get(label) }
    }
    return this.host.upstream
  }

  /** By the first label of the host, the first segment of the path, the default, or the path alone. */
  find({ path }: Target, headers: HeaderList): Route {
    const hosted = this.hosted(headers)
    const routes = hosted ? hosted.routes : this.routes
    let route = routes.get(path)
    if (route) return route
    route = hosted ? { upstream: hosted, path: hosted.base + path } : this.look(path)
    if (!route) return this.guess(path, headers)
    if (routes.size >= MOST_PATHS) routes.clear()
    routes.set(path, route)
    return route
  }

  /** The upstream for a path without a name. */
  private look(path: string): Route | undefined {
    const end = path.indexOf('/', 1)
    const first = end < 0 ? path.slice(1) : path.slice(1, end)
    const prefixed = this.entries.get(first)
    if (prefixed) return { upstream: prefixed, path: prefixed.base + (path.slice(first.length + 1) || '/') }
    const upstream = this.fallback === undefined ? undefined : this.entries.get(this.fallback)
    return upstream && { upstream, path: upstream.base + path }
  }

  private guess(path: string, headers: HeaderList): Route {
    const plain = this.fallback === undefined && /^\/(v\d|model\/)/.test(path)
    const upstream = plain ? this.entries.get(guessed(path, headers)) : undefined
    if (upstream) return { upstream, path: upstream.base + path }
    throw new GatewayError(
      'no-such-upstream',
      `No upstream at this path. Configured: ${this.names.map((one) => `/${one}/…`).join(', ')}, or start the gateway with --upstream NAME=URL.`,
    )
  }

  async close(): Promise<void> {
    await Promise.all([...this.entries.values()].map(({ pool }) => pool.destroy()))
  }
}

const MOST_PATHS = 256

/** The endpoint of a route, if the guard knows it. */
export function endpointAt(route: Route, settings: Settings): Endpoint | undefined {
  if (route.endpoint === undefined) route.endpoint = endpointIn(route, settings) ?? null
  return route.endpoint ?? undefined
}

/** The same, if only the body identifies it. */
export function endpointIn(route: Route, settings: Settings, body?: unknown): Endpoint | undefined {
  const { url, provider } = route.upstream
  return endpointOf({ host: url.hostname, path: plainPath(route.path) }, { provider, dialect: settings.dialect }, body)
}

/** Whether this is the name of a known provider. */
function isProvider(name: string): name is ProviderId {
  try {
    providerNamed(name)
    return true
  } catch {
    return false
  }
}

/** The provider that this path belongs to. */
function guessed(path: string, headers: HeaderList): string {
  const [, owner] = OWN.find(([pattern]) => pattern.test(path)) ?? []
  return owner ?? (headers.get('anthropic-version') === undefined ? 'openai' : 'anthropic')
}

function entryOf(name: string, options: UpstreamOptions, limits: Limits) {
  const { url: text, provider, apiKey, emulator = false } = options
  const key = keyIn(apiKey)
  const url = new URL(text)
  const Pool = loadPool()
  const pool: Dispatcher = new Pool(url.origin, {
    headersTimeout: limits.upstreamTimeoutMs,
    bodyTimeout: limits.idleTimeoutMs,
    connect: { timeout: limits.connectTimeoutMs },
    // Responses are slow because of the model: a connection that waits must not delay another request.
    pipelining: 1,
  })
  if (provider !== undefined) providerNamed(provider)
  return {
    name,
    url,
    base: url.pathname.replace(/\/$/, ''),
    pool,
    /** Milliseconds until the headers of an answer must have arrived. */
    headersMs: limits.upstreamTimeoutMs,
    provider: provider ?? (isProvider(name) ? name : undefined),
    key,
    emulator,
    needsCredential: needsCredential(name, options),
    /** Masks the key in responses. */
    scrub: key === undefined ? undefined : new KeyMask(key),
    /** Routes by path, for requests whose host names this upstream. */
    routes: new Map<string, Route>(),
  }
}

/** Whether it answers only callers with a credential of their own. False for services that are not listed above. */
function needsCredential(name: string, { provider, apiKey, emulator }: UpstreamOptions): boolean {
  return !keyIn(apiKey) && !emulator && Object.hasOwn(knownUpstreams, provider ?? name)
}

function keyIn(apiKey: string | undefined): string | undefined {
  return apiKey?.trim() || undefined
}
