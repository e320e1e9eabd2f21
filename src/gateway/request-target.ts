/**
 * The target of a request line, looked at before anything else: only plain paths are passed on, and only to upstreams that were configured.
 */
import { GatewayError } from './gateway-error.ts'

export interface Target {
  /** As it came, without the query. */
  readonly path: string
  /** With its question mark, or empty. */
  readonly query: string
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const ODD = /[\u0000-\u0020\u007f-\uffff\\"<>^`{|}]/
const ENCODED_DOTS = /%2e|%5c|%2f|%00/i

/** The path that was let through last: the same few are asked for again and again. None with a query, which may have a key in it. */
let last: Target = { path: '/', query: '' }

/** Rejects a target that could mean another host or another folder than it says. */
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

/** A segment that climbs, written out or encoded; encoded slashes alone are fine: Bedrock has them in names of models. */
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

/** An encoded character that stands for itself in a path; an encoded slash is part of a name. */
const ENCODED = /%(?!2f)[2-7][0-9a-f]/gi

/** The path as an endpoint is known by: without slashes at its end, and with plain characters where they were encoded. */
export function plainPath(path: string): string {
  if (!path.includes('%') && !path.endsWith('/')) return path
  let end = path.length
  while (end > 1 && path[end - 1] === '/') end--
  return path.slice(0, end).replaceAll(ENCODED, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
}
