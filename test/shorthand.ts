/**
 * The shorthand in which earlier systems' cases are written: `U A{x,y} R(x) S(y)`, turned into the history notation.
 * U user · A assistant · A{x} with calls · R(x) result · R(x,"text") · E(x) failed result · S(x) our synthetic result ·
 * N(x) our note · Y system.
 */
import { causeText } from '../src/core/index.ts'

export function notationOf(shorthand: string): string {
  const lines: string[] = []
  let count = 0
  for (const [, letter, mark, braces, round] of shorthand.matchAll(
    /([UAYRESN])('*)(?:\{([^}]*)\})?(?:\(([^)]*)\))?/g,
  )) {
    const [id = '', text = `out ${id}`] = (round ?? '').split(',').map((piece) => piece.trim().replaceAll('"', ''))
    if (letter === 'U') lines.push(`user: ${round ? id : `U${mark}`}`)
    else if (letter === 'Y') lines.push('system: rules')
    else if (letter === 'A') lines.push(`assistant: ${callsOf(braces) ?? `said${mark}`}`)
    else
      push(
        lines,
        letter === 'E'
          ? `failed ${id} ${text}`
          : letter === 'S'
            ? `failed ${id} ${causeText('lost')}`
            : `result ${id} ${text}`,
      )
    count++
  }
  if (count === 0) throw new Error(`No history in "${shorthand}".`)
  return lines.join('\n')
}

function callsOf(braces: string | undefined): string | undefined {
  return braces
    ?.split(',')
    .map((id) => `call ${id.trim()} t`)
    .join(' | ')
}

/** Results that follow each other are one line: one message where the dialect keeps them in one. */
function push(lines: string[], piece: string): void {
  const last = lines.length - 1
  if (lines[last]?.startsWith('tool: ')) lines[last] += ` | ${piece}`
  else lines.push(`tool: ${piece}`)
}
