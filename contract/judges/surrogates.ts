/**
 * docs/rejections.md#anthropic-lone-surrogate: half of a UTF-16 pair in any string of the body, keys too.
 */

import type { JudgedRequest, Rejection } from './rejection.ts'

export function loneSurrogate({ body }: JudgedRequest): Rejection | undefined {
  const found = firstBrokenString(body)
  if (!found) return undefined
  const at = found.before + found.index
  const fault = found.high ? 'no low surrogate in string' : 'invalid high surrogate in string'
  return {
    rule: 'lone-surrogate',
    message: `The request body is not valid JSON: ${fault}: line 1 column ${at + 1} (char ${at})`,
  }
}

/**
 * Cerebras: the error has the position of the lone half, and whether it is a leading one
 * (docs/rejections.md#cerebras-lone-surrogate).
 */
export function strictJson({ body }: JudgedRequest): Rejection | undefined {
  const found = firstBrokenString(body)
  if (!found) return undefined
  const half = found.high ? 'leading' : 'trailing'
  return {
    rule: 'lone-surrogate',
    message: `Invalid JSON: lone ${half} surrogate in hex escape at line 1 column ${found.before + found.index + 1}`,
    code: 'wrong_api_format',
  }
}

interface Broken {
  /** Characters before the string. Escapes and numbers are not counted: the position is only approximate. */
  readonly before: number
  readonly index: number
  readonly high: boolean
}

// A stack of its own instead of recursion: a body may be nested deeper than the call stack.
function firstBrokenString(body: unknown): Broken | undefined {
  const todo: unknown[] = [body]
  let before = 0
  while (todo.length > 0) {
    const value = todo.pop()
    before += 1
    if (typeof value === 'string') {
      if (!value.isWellFormed()) return { before, ...firstHalf(value) }
      before += value.length + 2
    } else if (Array.isArray(value)) {
      for (let i = value.length - 1; i >= 0; i--) todo.push(value[i])
    } else if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value)
      for (let i = entries.length - 1; i >= 0; i--) todo.push(entries[i]![1], entries[i]![0])
    }
  }
  return undefined
}

function firstHalf(text: string): { index: number; high: boolean } {
  const index = text.search(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/)
  return { index, high: text.charCodeAt(index) < 0xdc00 }
}
