/**
 * Who asks: keys of this gateway, hashed at rest, and the credentials of providers, which are passed on and never kept.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { checkValue } from '../core/options.ts'
import type { Heads } from './headers.ts'
import { Problem } from './problem.ts'

/** A key of this gateway. Only its hash is configured: `suture key` makes one. */
export interface KeyOptions {
  /** For logs and metrics. */
  readonly name: string
  /** `sha256:` and the hash of the key, in hex. */
  readonly hash: string
  /** Requests a minute; the gateway's own limit unless told. */
  readonly perMinute?: number
}

export interface Caller {
  /** What its sessions are kept under: a hash of its key, never the key. Worked out for those who have any. */
  scope(): string
  /** The name of its key; undefined where none is needed. */
  readonly key?: KeyOptions
  /** Headers that carried a key of this gateway: they stay here. */
  readonly spent: ReadonlySet<string> | undefined
  /** It brought a credential of its provider. */
  readonly credential: boolean
  /** The key stood in the query. */
  readonly inQuery: boolean
}

const CARRIERS = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key'] as const
const IN_QUERY = /[?&]key=([^&]*)/
const IN_QUERY_NAME = '?key'

export class Keys {
  private readonly keys: readonly { options: KeyOptions; hash: Buffer }[]

  constructor(keys: readonly KeyOptions[]) {
    this.keys = keys.map((options) => ({ options, hash: Buffer.from(options.hash.replace(/^sha256:/, ''), 'hex') }))
  }

  get needed(): boolean {
    return this.keys.length > 0
  }

  /** The caller, or a refusal where a key is needed and there is none that is known. */
  caller(headers: Heads, query: string): Caller {
    if (!this.needed) return new Anybody(headers, query)
    const own = headers.get('suture-key')
    const carried = credentialsIn(headers, query)
    if (own !== undefined) {
      const key = this.known(own)
      return { scope: () => scopeOf(own), key, spent: undefined, credential: carried.length > 0, inQuery: false }
    }
    const [first] = carried
    if (first === undefined || first.value === '')
      throw new Problem('key-missing', 'Give a key of this gateway as the API key of the client, or as `suture-key`.')
    // Some clients bring two: then one may be ours and the other the provider's.
    const ours = carried.find(({ value }) => this.find(value)) ?? first
    const key = this.known(ours.value)
    const inQuery = ours.name === IN_QUERY_NAME
    return {
      scope: () => scopeOf(ours.value),
      key,
      spent: inQuery ? undefined : new Set([ours.name]),
      credential: carried.length > 1,
      inQuery,
    }
  }

  private known(given: string): KeyOptions {
    const key = this.find(given)
    if (!key) throw new Problem('key-unknown', 'This gateway does not know that key.')
    return key
  }

  private find(given: string): KeyOptions | undefined {
    const hash = createHash('sha256').update(given).digest()
    let found: KeyOptions | undefined
    // All of them, always: how long it takes must not tell which one it was.
    for (const one of this.keys)
      if (one.hash.length === hash.length && timingSafeEqual(one.hash, hash)) found = one.options
    return found
  }
}

export function hashOf(key: string): string {
  checkValue('A key', key, 'name')
  return `sha256:${createHash('sha256').update(key).digest('hex')}`
}

/** What goes out in place of a key of this gateway, in the header that this provider reads. */
export function credentialFor(provider: string | undefined, key: string): readonly [string, string] {
  if (provider === 'anthropic') return ['x-api-key', key]
  if (provider === 'gemini') return ['x-goog-api-key', key]
  if (provider === 'azure') return ['api-key', key]
  return ['authorization', `Bearer ${key}`]
}

/** Who asks where no key is needed. */
class Anybody implements Caller {
  readonly spent = undefined
  readonly credential: boolean
  readonly inQuery = false
  private readonly headers: Heads
  private readonly query: string

  constructor(headers: Heads, query: string) {
    this.headers = headers
    this.query = query
    this.credential = CARRIERS.some((name) => headers.get(name) !== undefined) || IN_QUERY.test(query)
  }

  scope(): string {
    return scopeOf(credentialsIn(this.headers, this.query)[0]?.value)
  }
}

/** The query without a key that stood in it. */
export function withoutKey(query: string): string {
  const rest = query.slice(1).split('&')
  const kept = rest.filter((pair) => !pair.startsWith('key=')).join('&')
  return kept === '' ? '' : `?${kept}`
}

/** All that could be a key, as it came. */
function credentialsIn(headers: Heads, query: string): readonly { readonly name: string; readonly value: string }[] {
  const found: { name: string; value: string }[] = []
  for (const name of CARRIERS) {
    const value = headers.get(name)
    if (value !== undefined) found.push({ name, value: value.replace(/^Bearer\s+/i, '') })
  }
  const value = query === '' ? undefined : IN_QUERY.exec(query)?.[1]
  if (value !== undefined) found.push({ name: IN_QUERY_NAME, value })
  return found
}

function scopeOf(key: string | undefined): string {
  return createHash('sha256')
    .update(`suture scope\n${credentialPart(key ?? '')}`)
    .digest('hex')
    .slice(0, 24)
}

/** A signature of AWS is another one with every request; the id of its key is not. */
function credentialPart(key: string): string {
  return /^AWS4-HMAC-SHA256 Credential=([^/,\s]+)/.exec(key)?.[1] ?? key
}
