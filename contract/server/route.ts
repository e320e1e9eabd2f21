import type { Endpoint } from '../judge.ts'
import { DEFAULT_PROVIDER, isProvider } from './providers.ts'
import type { Framing, JsonObject } from './types.ts'

export interface Route {
  readonly provider: string
  readonly endpoint: Endpoint
  readonly model?: string
  /** If the path decides; otherwise `stream` in the body does. */
  readonly stream?: boolean
  readonly framing: Framing
}

type Headers = Readonly<Record<string, string>>

/**
 * Provider and endpoint of a path; undefined: 404. The named provider comes before the first path segment, and that
 * before the path itself.
 */
export function route(path: string, named: string | undefined, headers: Headers = {}): Route | undefined {
  const { pathname, searchParams } = new URL(path, 'http://contract')
  const [, first = ''] = pathname.split('/')
  const prefixed = isProvider(first) && !isAzure(pathname, headers)
  const rest = prefixed ? pathname.slice(first.length + 1) : pathname
  const place = google(rest, searchParams.get('alt') === 'sse') ?? bedrock(rest) ?? plain(rest)
  if (!place) return
  const provider = named ?? (prefixed ? first : undefined) ?? place.provider ?? DEFAULT_PROVIDER[place.endpoint]
  return { ...place, provider }
}

// `/openai/v1` is a path of Azure, and here also OpenAI under its name: the header of the key tells them apart.
function isAzure(path: string, headers: Headers): boolean {
  return path.startsWith('/openai/deployments/') || (path.startsWith('/openai/') && 'api-key' in headers)
}

type Place = Omit<Route, 'provider'> & { readonly provider?: string }

const GOOGLE = /\/(?:publishers\/(google|anthropic)\/)?models\/([^/:]+):(\w+)$/

function google(path: string, sse: boolean): Place | undefined {
  const [, publisher, model = '', method = ''] = GOOGLE.exec(path) ?? []
  const vertex = publisher ? { provider: 'vertex' } : {}
  const named = { ...vertex, model: decodeURIComponent(model) }
  switch (method) {
    case 'generateContent':
      return { ...named, endpoint: 'gemini', stream: false, framing: 'sse' }
    case 'streamGenerateContent':
      return { ...named, endpoint: 'gemini', stream: true, framing: sse ? 'sse' : 'array' }
    case 'rawPredict':
      return { ...named, endpoint: 'messages', stream: false, framing: 'sse' }
    case 'streamRawPredict':
      return { ...named, endpoint: 'messages', stream: true, framing: 'sse' }
    default:
      return
  }
}

function bedrock(path: string): Place | undefined {
  const [, model, stream] = /\/model\/([^/]+)\/converse(-stream)?$/.exec(path) ?? []
  if (model === undefined) return
  return {
    endpoint: 'converse',
    model: decodeURIComponent(model),
    stream: stream !== undefined,
    framing: 'eventstream',
  }
}

// By the end of the path: each OpenAI-compatible provider has a base of its own (/v1, /api/paas/v4,
// /compatible-mode/v1, ...).
function plain(path: string): Place | undefined {
  const azure = path.startsWith('/openai/') ? { provider: 'azure' } : {}
  const [, deployment] = /\/deployments\/([^/]+)\//.exec(path) ?? []
  const model = deployment === undefined ? {} : { model: decodeURIComponent(deployment) }
  if (path.endsWith('/chat/completions')) return { ...azure, ...model, endpoint: 'chat', framing: 'sse' }
  if (path.endsWith('/responses')) return { ...azure, ...model, endpoint: 'responses', framing: 'sse' }
  if (path.endsWith('/messages')) return { endpoint: 'messages', framing: 'sse' }
  return
}

/** The model of a request that names none. */
export const NO_MODEL = 'unknown'

export function modelOf(route: Route, body: JsonObject): string {
  return route.model ?? (typeof body['model'] === 'string' ? body['model'] : NO_MODEL)
}
