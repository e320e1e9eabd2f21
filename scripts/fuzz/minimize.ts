/** A failing input made smaller as long as it fails in the same way: lines, then JSON values, then bytes. */
import type { Input, Surface } from './surface.ts'

const MOST_CHECKS = 1500
const MOST_MS = 30_000

/** What a failure is about, without ids, numbers and excerpts of the input. */
export function signatureOf(problem: string): string {
  return problem
    .split('\n')
    .slice(0, 5)
    .map((line) => line.replace(/^(\s+at [\w.#]+).*/, '$1'))
    .join(' ')
    .replace(/"[^"]*"|`[^`]*`|\[[^\]]*\]/g, '"…"')
    .replace(/[\d\s]+/g, ' ')
    .slice(0, 240)
}

export async function problemOf(surface: Surface, input: Input): Promise<string | undefined> {
  try {
    return await surface.check(input)
  } catch (error) {
    return `threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
  }
}

export async function minimized(surface: Surface, input: Input, signature: string): Promise<Input> {
  const deadline = Date.now() + MOST_MS
  let smallest = input
  let checks = 0
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false
    for (const bytes of smaller(smallest.bytes)) {
      if (checks++ > MOST_CHECKS || Date.now() > deadline) return smallest
      const next = { ...smallest, bytes }
      const problem = await problemOf(surface, next)
      if (problem === undefined || signatureOf(problem) !== signature) continue
      smallest = next
      isSmaller = true
      break
    }
  }
  return smallest
}

function* smaller(bytes: Buffer): Generator<Buffer> {
  const text = bytes.toString()
  const lines = text.split('\n')
  if (lines.length > 2)
    for (let i = 0; i < lines.length; i++) yield Buffer.from(lines.filter((_, at) => at !== i).join('\n'))
  for (const [i, line] of lines.entries())
    for (const less of smallerJson(line)) yield Buffer.from(lines.map((one, at) => (at === i ? less : one)).join('\n'))
  for (let size = bytes.length >> 1; size > 0; size >>= 1)
    for (let at = 0; at < bytes.length; at += size)
      yield Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + size)])
}

function* smallerJson(text: string): Generator<string> {
  if (text.length > 200_000) return
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return
  }
  for (const less of smallerValues(value)) {
    const shorter = textOf(less)
    if (shorter !== undefined && shorter.length < text.length) yield shorter
  }
}

/** Undefined: nested too deeply. */
function textOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

function* smallerValues(value: unknown, depth = 0): Generator<unknown> {
  if (typeof value === 'string' && value.length > 1) yield value.slice(0, value.length >> 1)
  if (typeof value !== 'object' || value === null || depth > 50) return
  const entries = Object.entries(value)
  const isList = Array.isArray(value)
  const made = (list: readonly (readonly [string, unknown])[]) =>
    isList ? list.map(([, one]) => one) : Object.fromEntries(list)
  for (let i = 0; i < entries.length; i++) yield made(entries.filter((_, at) => at !== i))
  for (const [i, [key, inner]] of entries.entries())
    for (const less of smallerValues(inner, depth + 1)) yield made(entries.with(i, [key, less]))
}
