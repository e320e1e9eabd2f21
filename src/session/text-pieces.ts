/** A text as pieces of another one: what both share is named by its place, and only the rest is text. Linear. */

/** A text of its own, or the part of the other text from one index to another. */
export type TextPiece = string | readonly [from: number, to: number]

/** Texts are compared in blocks of this many characters; shorter agreements count only at both ends. */
const BLOCK = 32
/** A longer text that differs is not searched for blocks. */
const LONGEST = 262_144

export function piecesOf(text: string, base: string): readonly TextPiece[] {
  const most = Math.min(base.length, text.length)
  let start = 0
  while (start < most && base.charCodeAt(start) === text.charCodeAt(start)) start++
  let end = 0
  while (end < most - start && base.charCodeAt(base.length - 1 - end) === text.charCodeAt(text.length - 1 - end)) end++
  const pieces: TextPiece[] = [
    [0, start],
    ...inner(text.slice(start, text.length - end), base.slice(start, base.length - end), start),
    [base.length - end, base.length],
  ]
  return pieces.filter((piece) => (typeof piece === 'string' ? piece !== '' : piece[0] < piece[1]))
}

export function textFrom(pieces: readonly TextPiece[], base: string): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : base.slice(piece[0], piece[1]))).join('')
}

/** The pieces between the equal ends. `offset`: where this part of the other text begins. */
function inner(text: string, base: string, offset: number): readonly TextPiece[] {
  if (text.length > LONGEST || base.length < BLOCK) return [text]
  const blocks = new Map<string, number>()
  for (let at = base.length - BLOCK; at >= 0; at -= BLOCK) blocks.set(base.slice(at, at + BLOCK), at)
  const pieces: TextPiece[] = []
  let own = 0
  for (let i = 0; i + BLOCK <= text.length; ) {
    const at = blocks.get(text.slice(i, i + BLOCK))
    if (at === undefined) {
      i++
      continue
    }
    const [before, after] = reach(text, base, own, i, at)
    pieces.push(text.slice(own, i - before), [offset + at - before, offset + at + after])
    i += after
    own = i
  }
  return [...pieces, text.slice(own)]
}

/** How far an agreement goes to both sides. */
function reach(text: string, base: string, own: number, i: number, at: number): readonly [number, number] {
  let before = 0
  while (i - before > own && at > before && text[i - before - 1] === base[at - before - 1]) before++
  let after = BLOCK
  while (i + after < text.length && at + after < base.length && text[i + after] === base[at + after]) after++
  return [before, after]
}
