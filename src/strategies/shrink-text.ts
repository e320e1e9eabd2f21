/** Cuts texts to a size: in whole code points, with the notice included in the size, never longer than before. */

import type { Estimate } from './estimate.ts'

/** The default estimate: UTF-8 bytes divided by four. */
export const byBytes: Estimate = (text) => {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    // Half of a surrogate pair counts two of its four bytes.
    if (code >= 0x80) bytes += code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 1 : 2
  }
  return Math.ceil(bytes / 4)
}

/** Notices for what was left out, the longest first: a small space gets a short one. */
export function notices(left: number, of: number, unit: string, hint: string): readonly string[] {
  const notice = `${left} of ${of} ${unit} left out`
  return [
    hint === '' ? `[… ${notice} …]` : `[… ${notice}. ${hint} …]`,
    `[… ${notice} …]`,
    `[… ${left} left out …]`,
    '…',
    '',
  ]
}

/** The text with its middle left out, in at most `room` characters. */
export function cutText(text: string, room: number, hint: string): string {
  if (text.length <= room) return text
  // The count is not known before the cut; its longest form is that of the whole text.
  const widest = notices(text.length, text.length, 'characters', hint)
  const form = Math.max(
    widest.findIndex((notice) => notice.length <= Math.max(room / 2, room - 80)),
    0,
  )
  const keep = Math.max(room - widest[form]!.length, 0)
  const head = headOf(text, Math.ceil(keep * 0.7))
  const tail = tailOf(text, keep - Math.ceil(keep * 0.7))
  const left = text.length - head.length - tail.length
  const cut = head + notices(left, text.length, 'characters', hint)[form]! + tail
  return cut.length <= room ? cut : headOf(text, Math.max(room, 0))
}

/** The first characters, without splitting a surrogate pair. */
function headOf(text: string, count: number): string {
  const divided = count > 0 && count < text.length && isPair(text, count - 1)
  return text.slice(0, divided ? count - 1 : count)
}

/** The last characters, without splitting a surrogate pair. */
function tailOf(text: string, count: number): string {
  const start = text.length - count
  const divided = count > 0 && start > 0 && isPair(text, start - 1)
  return text.slice(divided ? start + 1 : start)
}

function isPair(text: string, at: number): boolean {
  const [high, low] = [text.charCodeAt(at), text.charCodeAt(at + 1)]
  return high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000
}

/** Tries sizes until the outcome is within the limit; `cut(0)` is the smallest. */
export function fit(text: string, limit: number, estimate: Estimate, cut: (room: number) => string): string {
  const size = estimate(text)
  if (size <= limit) return text
  let room = Math.min(text.length - 1, Math.floor((text.length * Math.max(limit, 0)) / size))
  for (let tries = 0; tries < 40 && room > 0; tries++) {
    const outcome = cut(room)
    if (outcome.length < text.length && estimate(outcome) <= limit) return outcome
    room = Math.floor(room * 0.9) - 1
  }
  const least = cut(0)
  return least.length < text.length && estimate(least) <= limit ? least : ''
}
