/**
 * Identifies callers by keys of this gateway, stored as hashes, or by provider credentials, which are passed on and
 * never stored. A gateway key is never forwarded, wherever a client puts it.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { checkValue } from '../../core/options.ts'
import { GatewayError } from '../gateway-error.ts'
import type { HeaderList } from '../http/index.ts'
import { partsOf, queryPairs } from './key-candidates.ts'

/** A key of this gateway. Only its hash is configured: `suture key` makes one. */
export interface KeyOptions {
  /** For logs and metrics. */
  readonly name: string
  /** `sha256:` and the hash of the key, in hex. */
  readonly hash: string
  /** Requests per minute. Default: the gateway's own limit. */
  readonly perMinute?: number
}

export interface Caller {
  /** The scope of the caller's sessions: a hash of the name of its key, or without keys of its credential. */
  scope(): string
  /** The name of its key; undefined if no key is needed. */
  readonly key?: KeyOptions
  /** Headers that contain a gateway key: they are not forwarded. */
  readonly spent: ReadonlySet<string> | undefined
  /** The caller sent a credential of its provider. */
  readonly credential: boolean
  /** The query without gateway keys, if it had any. */
  readonly query?: string | undefined
}

const CARRIERS = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key'] as const
/** Values of these headers are not cached, not even as harmless ones. */
const SECRET: ReadonlySet<string> = new Set([...CARRIERS, 'proxy-authorization', 'cookie'])
const IN_QUERY = /[?&]key=([^&]*)/
const IN_QUERY_NAME = '?key'
/** Number and maximum length of cached values without a key: most headers are the same in every request. */
const REMEMBERED = 1024
const LONGEST_REMEMBERED = 256
/** A shorter key is not searched inside other words. */
const TELLING = 8

export class Keys {
  private readonly keys: readonly { options: KeyOptions; hash: Buffer }[]
  private readonly harmless = new Set<string>()

  constructor(keys: readonly KeyOptions[]) {
    this.keys = keys.map((options) => ({ options, hash: Buffer.from(options.hash.replace(/^sha256:/, ''), 'hex') }))
  }

  get needed(): boolean {
    return this.keys.length > 0
  }

  /** The caller. Throws if a key is needed and none is known. */
  caller(headers: HeaderList, query: string, path = ''): Caller {
    if (!this.needed) return keyless(headers, query)
    const carried = credentialsIn(headers, query)
    const given = headers.get('suture-key') ?? this.carriedKey(carried)
    const key = this.find(given)
    if (!key) throw new GatewayError('key-unknown', 'Unknown key. Check it, or create one with `suture key NAME`.')
    if (this.carries('path', path, given))
      throw new GatewayError('bad-target', 'The path contains a key of this gateway. Send it in a header.')
    const spent = this.spentIn(headers, given)
    // An empty credential would be sent in addition to the one that is added.
    for (const { name, value } of carried) if (value.trim() === '') spent.add(name)
    const kept = queryPairs(query).filter((pair) => !this.carries('cookie', pair, given))
    const left = kept.length === 0 ? '' : `?${kept.join('&')}`
    const isLeft = ({ name }: { name: string }) => (name === IN_QUERY_NAME ? IN_QUERY.test(left) : !spent.has(name))
    return { scope: () => scopeOfName(key.name), key, spent, credential: carried.some(isLeft), query: left }
  }

  /** Some clients send two credentials: one may be a gateway key and the other the provider's. */
  private carriedKey(carried: ReturnType<typeof credentialsIn>): string {
    const found = carried.find(({ value }) => this.find(value)) ?? carried.find(({ value }) => value !== '')
    if (found) return found.value
    throw new GatewayError(
      'key-missing',
      'A key of this gateway is required. Send it as the API key of the client, or in the header `suture-key`.',
    )
  }

  /** Names of headers that contain a gateway key. */
  private spentIn({ raw, names }: HeaderList, given: string): Set<string> {
    const spent = new Set<string>()
    for (let i = 0; i < names.length; i++) if (this.carries(names[i]!, raw[i * 2 + 1]!, given)) spent.add(names[i]!)
    return spent
  }

  /** Whether a value is or contains a gateway key. */
  private carries(name: string, value: string, given: string): boolean {
    if (given.length >= TELLING && value.includes(given)) return true
    if (this.harmless.has(value)) return false
    for (const part of partsOf(value)) if (this.find(part)) return true
    if (!SECRET.has(name) && value.length <= LONGEST_REMEMBERED) {
      if (this.harmless.size >= REMEMBERED) this.harmless.clear()
      this.harmless.add(value)
    }
    return false
  }

  private find(given: string): KeyOptions | undefined {
    const hash = createHash('sha256').update(given).digest()
    let found: KeyOptions | undefined
    // Always compares with all keys, so that the time does not reveal which one matched.
    for (const one of this.keys)
      if (one.hash.length === hash.length && timingSafeEqual(one.hash, hash)) found = one.options
    return found
  }
}

/** The hash under which a key of the gateway is stored. */
export function hashOf(key: string): string {
  checkValue('A key', key, 'name')
  return `sha256:${createHash('sha256').update(key).digest('hex')}`
}

/** The header and value that replace a gateway key for this provider. */
export function credentialFor(provider: string | undefined, key: string): readonly [string, string] {
  if (provider === 'anthropic') return ['x-api-key', key]
  if (provider === 'gemini') return ['x-goog-api-key', key]
  if (provider === 'azure') return ['api-key', key]
  return ['authorization', `Bearer ${key}`]
}

/** The caller if no key is needed. Clients send a blank credential if the variable of their key is empty. */
function keyless(headers: HeaderList, query: string): Caller {
  const carried = credentialsIn(headers, query)
  const credential = carried.some(({ value }) => value.trim() !== '')
  const isBlank = carried.length > 0 && !credential
  const spent = isBlank ? new Set(carried.map(({ name }) => name)) : undefined
  return { scope: () => scopeOf(carried[0]?.value), spent, credential }
}

/** All values that could be a key, as they were sent. */
function credentialsIn(
  headers: HeaderList,
  query: string,
): readonly { readonly name: string; readonly value: string }[] {
  const found: { name: string; value: string }[] = []
  for (const name of CARRIERS) {
    const value = headers.get(name)
    if (value !== undefined) found.push({ name, value: value.replace(/^Bearer(?:\s+|$)/i, '') })
  }
  const value = query === '' ? undefined : IN_QUERY.exec(query)?.[1]
  if (value !== undefined) found.push({ name: IN_QUERY_NAME, value })
  return found
}

/** An AWS signature differs with every request; the id of its key does not. */
function scopeOf(key = ''): string {
  return scopeHash(`suture scope\n${/^AWS4-HMAC-SHA256 Credential=([^/,\s]+)/.exec(key)?.[1] ?? key}`)
}

/** By name: another key of the same name has the same sessions. */
function scopeOfName(name: string): string {
  return scopeHash(`suture key name\n${name}`)
}

function scopeHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24)
}
