/** How long a provider asks to wait, in milliseconds: from headers, then fields of the body, then its text. */
import type { RejectedResponse } from './types.ts'

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

export function retryAfterMs(
  { headers }: Pick<RejectedResponse, 'headers'>,
  texts: readonly string[],
  delays: readonly string[],
  now: () => number,
): number | undefined {
  return header(headers, now) ?? first(delays.map(duration)) ?? first(texts.map(worded))
}

function header(headers: RejectedResponse['headers'], now: () => number): number | undefined {
  const ms = Number(headers.get('retry-after-ms') ?? Number.NaN)
  if (ms >= 0) return Math.ceil(ms)
  const after = headers.get('retry-after')?.trim()
  if (!after) return undefined
  if (/^\d+(?:\.\d+)?$/.test(after)) return Math.ceil(Number(after) * 1000)
  const date = Date.parse(after)
  if (Number.isNaN(date)) return undefined
  // By the provider's own clock, if it sends the time.
  const there = Date.parse(headers.get('date') ?? '')
  return Math.max(date - (Number.isNaN(there) ? now() : there), 0)
}

/** `20s`, `1.5s`, `6m0s`, `120ms`; a bare number is seconds. */
function duration(text: string): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000)
  const parts = [...text.matchAll(/([\d.]{1,20}) ?(ms|s|m|h)[a-z]*/gi)]
  if (parts.length === 0) return undefined
  return Math.ceil(parts.reduce((total, [, count, unit]) => total + Number(count) * UNITS[unit!.toLowerCase()]!, 0))
}

function worded(text: string): number | undefined {
  const match =
    /(?:try(?:ing)? again|retry(?:ing)?|reset|wait|available)\b[^\d.]{0,30}?((?:\d{1,9}(?:\.\d{1,9})? ?(?:ms|milliseconds?|seconds?|secs?|s|minutes?|mins?|m|hours?|h)(?![a-z]) ?){1,4})/i.exec(
      text,
    )
  return match ? duration(match[1]!.replace(/milliseconds?/gi, 'ms')) : undefined
}

function first(values: readonly (number | undefined)[]): number | undefined {
  return values.find((value) => value !== undefined)
}
