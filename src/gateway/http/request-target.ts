/** Checks the target of a request line: only plain paths are accepted, and only to configured upstreams. */
import { GatewayError } from '../gateway-error.ts'

export interface Target {
  /** The path as it came, without the query. */
  readonly path: string
  /** The query with its question mark, or empty. */
  readonly query: string
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const ODD = /[\u0000-\u0020\u007f-\uffff\\"<>^`{|}]/
const ENCODED_DOTS = /%2e|%5c|%2f|%00/i

/** The path that was accepted last, since the same few repeat. Never one with a query, which may contain a key. */
let last: Target = { path: '/', query: '' }

/** Rejects a target that could mean another host or another folder. */
export function targetOf(raw: string): Target {
  if (last.path === raw) return last
  const target = looked(raw)
  if (target.query === '') last = target
  return target
}

function looked(raw: string): Target {
  if (!raw.startsWith('/') || raw.startsWith('//'))
    throw new GatewayError(
      'bad-target',
      'The request target must be a path: this gateway does not forward to other hosts. Set the base URL of the client.',
    )
  const mark = raw.indexOf('?')
  const path = mark < 0 ? raw : raw.slice(0, mark)
  const query = mark < 0 ? '' : raw.slice(mark)
  if (ODD.test(path) || path.includes('#') || hasDots(path))
    throw new GatewayError(
      'bad-target',
      'The path has characters or dot segments that are not allowed. Remove or encode them.',
    )
  return { path, query }
}

/** A segment with dots that climbs, plain or encoded. Encoded slashes are accepted: Bedrock has them in model names. */
function hasDots(path: string): boolean {
  if (!path.includes('.') && !ENCODED_DOTS.test(path)) return false
  let plain: string
  try {
    plain = decodeURIComponent(path)
  } catch {
    return true
  }
  if (plain.includes('\u0000')) return true
  return plain.split(/[/\\]/).some((segment) => /^\.{1,2}(;.*)?$/.test(segment))
}

/** An encoded character that needs no encoding in a path; an encoded slash is part of a name. */
const ENCODED = /%(?!2f)[2-7][0-9a-f]/gi

/** The path as endpoints are recognized: without trailing slashes, decoded where encoding was not needed. */
export function plainPath(path: string): string {
  if (!path.includes('%') && !path.endsWith('/')) return path
  let end = path.length
  while (end > 1 && path[end - 1] === '/') end--
  return path.slice(0, end).replaceAll(ENCODED, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
}
