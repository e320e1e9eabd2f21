/**
 * Odd shapes of a history, each at any size, in any dialect: one message with many parts of a kind, many small
 * messages, one long text, deep nesting, many equal ids, many marks.
 */
import { type DialectId, expressible, parseHistory } from '../../src/testing/index.ts'

export type Shape = (size: number) => string

const times = (size: number, line: (i: number) => string, between: string): string =>
  Array.from({ length: size }, (_, i) => line(i)).join(between)
const row = (size: number, piece: (i: number) => string): string => times(size, piece, ' | ')
const lines = (size: number, line: (i: number) => string): string => times(size, line, '\n')
const END = 'assistant: done\nuser: and now?\nassistant: this\nuser: go on'

/** In the history notation, with a few plain messages after it so that a cut has somewhere to fall. */
export const shapes: Readonly<Record<string, Shape>> = {
  'many texts in one user message': (n) => `user: ${row(n, (i) => `text part ${i}`)}\n${END}`,
  'many texts in one answer': (n) => `user: go\nassistant: ${row(n, (i) => `text part ${i}`)}\nuser: next\n${END}`,
  'many signed thoughts in one answer': (n) =>
    `user: go\nassistant: ${row(n, (i) => `think! thought ${i}`)} | text so\nuser: next\n${END}`,
  'many unsigned thoughts in one answer': (n) =>
    `user: go\nassistant: ${row(n, (i) => `think thought ${i}`)} | text so\nuser: next\n${END}`,
  'many thoughts in many answers': (n) =>
    `${lines(n / 4, (i) => `user: ask ${i}\nassistant: think! a ${i} | think! b ${i} | text so`)}\nuser: next\n${END}`,
  'many calls in one answer': (n) =>
    `user: go\nassistant: ${row(n, (i) => `call c${i} t {"a":${i}}`)}\ntool: ${row(n, (i) => `result c${i} out ${i}`)}\n${END}`,
  'many calls without results': (n) =>
    `user: go\nassistant: ${row(n, (i) => `call c${i} t {"a":${i}}`)}\nuser: next\n${END}`,
  'many results without calls': (n) => `user: go\ntool: ${row(n, (i) => `result c${i} out ${i}`)}\n${END}`,
  'many calls with one id': (n) =>
    `user: go\nassistant: ${row(n, () => 'call same t {}')}\ntool: ${row(n, (i) => `result same out ${i}`)}\n${END}`,
  'many rounds with one id': (n) =>
    `user: go\n${lines(n / 2, (i) => `assistant: call same t {"a":${i}}\ntool: result same out ${i}`)}\n${END}`,
  'results in reverse': (n) =>
    `user: go\nassistant: ${row(n, (i) => `call c${i} t {}`)}\ntool: ${row(n, (i) => `result c${n - 1 - i} out ${i}`)}\n${END}`,
  'results before their calls': (n) =>
    `user: go\n${lines(n / 2, (i) => `tool: result c${i} out\nassistant: call c${i} t {}`)}\n${END}`,
  'results far from their calls': (n) =>
    `user: go\n${lines(n / 2, (i) => `assistant: call c${i} t {}`)}\n${lines(n / 2, (i) => `tool: result c${i} out ${i}`)}\n${END}`,
  'many rounds in one turn': (n) =>
    `user: go\n${lines(n / 2, (i) => `assistant: call c${i} t {"a":${i}}\ntool: result c${i} out ${i}`)}\n${END}`,
  'many tiny messages': (n) => `${lines(n / 2, (i) => `user: ${i}\nassistant: ${i}`)}\n${END}`,
  'many users in a row': (n) => `${lines(n, (i) => `user: ${i}`)}\n${END}`,
  'many answers in a row': (n) => `user: go\n${lines(n, (i) => `assistant: ${i}`)}\nuser: next\n${END}`,
  'many system messages': (n) => `${lines(n, (i) => `system: rule ${i}`)}\nuser: go\n${END}`,
  'system messages in between': (n) =>
    `${lines(n, (i) => `user: ${i}\nsystem: rule ${i}\nassistant: ${i}`)}\nuser: go\n${END}`,
  'many empty messages': (n) => `user: go\n${lines(n / 2, () => 'assistant: empty\nuser: empty')}\n${END}`,
  'many blank texts': (n) => `user: ${row(n, () => 'blank')}\n${END}`,
  'many images': (n) => `user: ${row(n, () => 'image')}\n${END}`,
  'copies of one message': (n) =>
    `user: go\n${lines(n / 2, () => 'assistant: call c t {}\ntool: result c out')}\n${END}`,
  'many server calls': (n) =>
    `user: go\nassistant: ${row(n, (i) => `server s${i} web_search {} | served s${i} out`)}\nuser: next\n${END}`,
  'one long text': (n) => `user: ${'word '.repeat(n * 4)}\n${END}`,
  'one long result': (n) => `user: go\nassistant: call c t {}\ntool: result c ${'line '.repeat(n * 4)}\n${END}`,
  'one long call': (n) => `user: go\nassistant: call c t {"a":"${'x'.repeat(n * 16)}"}\ntool: result c out\n${END}`,
  'one long id': (n) =>
    `user: go\nassistant: call ${'c'.repeat(n * 8)} t {}\ntool: result ${'c'.repeat(n * 8)} out\n${END}`,
  'deep arguments': (n) =>
    `user: go\nassistant: call c t {"a":${'['.repeat(n)}${']'.repeat(n)}}\ntool: result c out\n${END}`,
  'wide arguments': (n) =>
    `user: go\nassistant: call c t {${times(n, (i) => `"k${i}":${i}`, ',')}}\ntool: result c out\n${END}`,
}

export function histories(shape: Shape, dialect: DialectId): ((size: number) => unknown[]) | undefined {
  if (!expressible(shape(16), dialect)) return undefined
  return (size) => parseHistory(shape(size), dialect)
}

/** The same history with a mark on each of its blocks. */
export function marked(history: readonly unknown[]): unknown[] {
  return JSON.parse(JSON.stringify(history), (key, value) =>
    key !== '' && isBlock(value) ? { ...value, cache_control: { type: 'ephemeral' } } : value,
  )
}

function isBlock(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'type' in value
}
