/**
 * What a process did to its files, in order, as strace wrote it down (`-y -xx`).
 */
import { basename } from 'node:path'

export type Step =
  | { readonly step: 'write'; readonly file: string; readonly at: number; readonly bytes: Buffer }
  | { readonly step: 'truncate'; readonly file: string; readonly size: number }
  | { readonly step: 'unlink'; readonly file: string }
  | { readonly step: 'sync'; readonly file: string }
  /** A line that the process printed: from here on its record must be there. */
  | { readonly step: 'acknowledged'; readonly line: string }

/** Files by their names; the folder itself is `.`. */
export function stepsIn(trace: string, folder: string, acknowledgements: string): Step[] {
  const steps: Step[] = []
  for (const line of trace.split('\n')) {
    const [, call, rest] = /^\d+\s+(\w+)\((.*)\)\s+= \d+/.exec(line) ?? []
    if (!call) continue
    const step = stepOf(call, rest!, folder, acknowledgements)
    if (step) steps.push(step)
  }
  return steps
}

function stepOf(call: string, rest: string, folder: string, acknowledgements: string): Step | undefined {
  const path = bytesOf(/^(?:\d+<([^>]*)>|"([^"]*)")/.exec(rest)?.slice(1).find(Boolean) ?? '').toString()
  const file = path === folder ? '.' : basename(path)
  if (call === 'unlink') return { step: 'unlink', file }
  if (call === 'fsync' || call === 'fdatasync') return { step: 'sync', file }
  if (call === 'ftruncate') return { step: 'truncate', file, size: Number(/, (\d+)$/.exec(rest)![1]) }
  const [, text, , at] = /, "([^"]*)", (\d+)(?:, (\d+))?$/.exec(rest) ?? []
  if (text === undefined) return undefined
  const bytes = bytesOf(text)
  if (file === acknowledgements) return { step: 'acknowledged', line: bytes.toString() }
  return at === undefined ? undefined : { step: 'write', file, at: Number(at), bytes }
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text.replaceAll('\\x', ''), 'hex')
}
