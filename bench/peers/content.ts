/** Compares the content of a history before and after: tool outputs, calls, user texts, and added bytes. */
import { isSynthetic } from '../../src/core/index.ts'
import { callsOf, type Plain, type PlainCall } from './plain.ts'

/** Outputs that clients wrote for calls that never ran: losing one of these loses nothing. */
const PLACEHOLDER = /interrupted|aborted|cancel|no result|not executed|was lost|placeholder/i
const PLACEHOLDER_LENGTH = 200

export interface Kept {
  readonly outputs: Share
  readonly calls: Share
  readonly texts: Share
}

export interface Share {
  readonly kept: number
  readonly of: number
}

export function keptOf(before: readonly Plain[], after: readonly Plain[]): Kept {
  const texts = before.flatMap((message) => (message.role === 'user' ? [message.content] : []))
  const outputs = before.flatMap((message) =>
    message.role === 'tool' && isReal(message.content) ? [message.content] : [],
  )
  const within = finder(after)
  // By the arguments: the name of a tool may have to be changed, and an id is not content.
  const written = new Set(after.flatMap(callsOf).map(argumentsOf))
  const calls = before.flatMap(callsOf)
  return {
    outputs: share(outputs, within),
    texts: share(texts, within),
    calls: share(calls, (one) => written.has(argumentsOf(one)) || within(one.function.arguments)),
  }
}

function isReal(text: string): boolean {
  return !isSynthetic(text) && !(text.length < PLACEHOLDER_LENGTH && PLACEHOLDER.test(text))
}

function share<T>(list: readonly T[], isKept: (one: T) => boolean): Share {
  return { kept: list.filter(isKept).length, of: list.length }
}

function keyOf(one: PlainCall): string {
  return `${one.function.name} ${argumentsOf(one)}`
}

function argumentsOf({ function: { arguments: text } }: PlainCall): string {
  try {
    return settled(JSON.stringify(JSON.parse(text)))
  } catch {
    return text
  }
}

/** Lone surrogates, control characters and white space at the ends are not content. */
function settled(text: string): string {
  return text
    .toWellFormed()
    .replace(/(?!\s)\p{Cc}|\ufffd/gu, '')
    .trim()
}

function textsOf(history: readonly Plain[]): string[] {
  return history.map(({ content }) => settled(content ?? '')).filter((text) => text.length > 0)
}

function finder(history: readonly Plain[]): (text: string) => boolean {
  const whole = textsOf(history).join('\n')
  return (text) => {
    const wanted = settled(text)
    return whole.includes(wanted) || whole.includes(JSON.stringify(wanted).slice(1, -1))
  }
}

/** Bytes of texts, outputs and calls that are not in the input. */
export function inventedBytes(before: readonly Plain[], after: readonly Plain[]): number {
  const given = [...new Set(textsOf(before))].sort((a, b) => b.length - a.length)
  const known = new Set(given)
  const calls = new Set(before.flatMap(callsOf).map(keyOf))
  const texts = textsOf(after).filter((text) => !known.has(text))
  const made = after
    .flatMap(callsOf)
    .map(keyOf)
    .filter((key) => !calls.has(key))
  return [...texts.map((text) => restOf(text, given)), ...made].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}

/** A text without what it quotes; nothing is left of a text that was cut or only has other white space. */
function restOf(text: string, given: readonly string[]): string {
  if (given.some((one) => one.includes(text))) return ''
  let rest = text
  for (const one of given) if (one.length > 3) rest = rest.replace(one, () => '')
  return rest.trim()
}

/** The same history, whatever the order of keys and the spelling of no text. */
export function canonical(history: readonly Plain[]): string {
  return JSON.stringify(
    history.map((message) =>
      message.role === 'assistant'
        ? ['assistant', message.content ?? '', callsOf(message).map((one) => [one.id, keyOf(one)])]
        : [message.role, message.content, message.role === 'tool' ? message.tool_call_id : ''],
    ),
  )
}
