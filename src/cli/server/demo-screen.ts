/** Lays out the first screen of `suture serve --demo`: two answers side by side, and a history as a diff. */
import { type Dialect, type Part, readMessage } from '../../core/index.ts'
import type { Answer } from '../../viewer/demo-data.ts'
import { oneLine, type Paint } from '../terminal/index.ts'

export function sideBySide(without: Answer, withSuture: Answer, width: number, ink: Paint): string[] {
  const half = Math.floor((width - 6) / 2)
  const left = ['without Suture', `HTTP ${without.status}`, ...wrap(without.text, half)]
  const right = [
    'with Suture, the same request',
    `HTTP ${withSuture.status}`,
    ...wrap(`found: ${withSuture.findings}`, half),
    ...wrap(withSuture.text, half),
  ]
  return Array.from({ length: Math.max(left.length, right.length) }, (_, i) => {
    const inks: readonly [(text: string) => string, (text: string) => string] =
      i === 0 ? [ink.bold, ink.bold] : i === 1 ? [ink.red, ink.green] : [ink.red, ink.dim]
    return `  ${inks[0]((left[i] ?? '').padEnd(half))}  ${inks[1](right[i] ?? '')}`.trimEnd()
  })
}

/** A diff with one changed range: these repairs change one place only. */
export function diff(before: readonly string[], after: readonly string[], width: number, ink: Paint): string[] {
  let start = 0
  while (start < before.length && before[start] === after[start]) start++
  let end = 0
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const line = (mark: string, text: string) => `  ${mark} ${oneLine(text, width - 4)}`
  return [
    ...before.slice(0, start).map((text) => line(' ', text)),
    ...before.slice(start, before.length - end).map((text) => ink.red(line('-', text))),
    ...after.slice(start, after.length - end).map((text) => ink.green(line('+', text))),
    ...before.slice(before.length - end).map((text) => line(' ', text)),
  ]
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of oneLine(text, 4 * width).split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].map((one) => oneLine(one, width))
}

/** A message on one line: its role, and each part in short. */
export function messageLine(message: unknown, dialect: Dialect): string {
  const { role } = message as { readonly role: string }
  const parts = readMessage(message, dialect).parts.map((part) => partText(part, dialect))
  return `${role.padEnd(10)}${parts.join('  ')}`
}

function partText(part: Part, dialect: Dialect): string {
  if (part.kind === 'result') return `[result] ${dialect.content(part).text}`
  if (part.kind === 'call') return `[call] ${part.name}(${Object.values(part.body ?? {}).join(', ')})`
  return String(part.body)
}

/** A reply in words. */
export function replyText(message: unknown, dialect: Dialect): string {
  const words = readMessage(message, dialect).parts.flatMap(({ kind, body, name }) =>
    kind === 'text' ? String(body) : kind === 'call' ? `calls ${name} again` : [],
  )
  return `the model answers: ${words.join(' ')}`
}
