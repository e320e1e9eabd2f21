/** Cuts a text into pieces of at most `bytes` bytes of UTF-8, each of at least one whole character. */
export function pieces(text: string, bytes: number): string[] {
  const out: string[] = []
  let piece = ''
  let size = 0
  for (const character of text) {
    const width = utf8Width(character)
    if (piece !== '' && size + width > bytes) {
      out.push(piece)
      piece = ''
      size = 0
    }
    piece += character
    size += width
  }
  if (piece !== '') out.push(piece)
  return out
}

function utf8Width(character: string): number {
  const point = character.codePointAt(0) ?? 0
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
}
