/**
 * What every session-file format promises, as one suite: a valid file stays as it is, a broken one is repaired,
 * untouched records keep their bytes, a second repair changes nothing, and no input makes it throw.
 */

import { expect, it } from 'vitest'
import { applyToLines } from '../../src/session-files/line-layout.ts'
import type {
  FileInput,
  HostEnvironment,
  RecordEdit,
  SessionFile,
  SessionFormat,
} from '../../src/session-files/types.ts'
import { lint, repair } from '../untyped-api.ts'
import { bytesOf, type FormatCase, textOf } from './format-cases.ts'

/** The file after the repair of every conversation and of every fault that has a fix. */
export function repaired(
  format: SessionFormat,
  input: FileInput,
): { bytes: Uint8Array; changes: readonly RecordEdit[] } {
  const file = format.read(input)
  const changes: RecordEdit[] = format.check(file).flatMap(({ fix, lossy }) => (lossy ? [] : (fix ?? [])))
  for (const conversation of file.conversations) {
    const { patch } = repair(conversation.history, optionsOf(conversation))
    changes.push(...format.write(file, conversation, patch))
  }
  return { bytes: applied(format, file, changes), changes }
}

export function applied(format: SessionFormat, file: SessionFile, changes: readonly RecordEdit[]): Uint8Array {
  return format.apply ? format.apply(file, changes) : applyToLines(file, changes)
}

export function optionsOf({ provider, dialect, model, agentClosesOpenCalls }: SessionFile['conversations'][number]) {
  return { provider, dialect, inProgress: agentClosesOpenCalls, ...(model === undefined ? {} : { model }) }
}

export function errorsIn(file: SessionFile): readonly string[] {
  return file.conversations.flatMap((conversation) =>
    lint(conversation.history, optionsOf(conversation))
      .filter(({ severity }) => severity === 'error')
      .map(({ rule, at }) => `${conversation.id}: ${rule} at ${at.join('/')}`),
  )
}

export function testFormat({ format, valid, broken, untouched = [] }: FormatCase): void {
  it('a valid file: no error, no fault, no change', () => {
    const file = format.read(valid)
    expect(errorsIn(file)).toEqual([])
    expect(format.check(file)).toEqual([])
    expect(file.unknown).toEqual([])
    expect(file.conversations[0]!.history.length).toBeGreaterThan(0)
    expect(repaired(format, valid).bytes).toBe(valid.bytes)
  })

  it('each message names its records, and the reach counts add up', () => {
    for (const { history, sources, reach } of format.read(valid).conversations) {
      expect(sources.length).toBe(history.length)
      // What is no conversation, or was written again later, is no loss.
      const lost = reach.excluded.filter(({ because }) => because !== 'superseded' && because !== 'not-conversation')
      expect(reach.total).toBe(reach.included + lost.length)
    }
  })

  if (valid.bytes.length > 0 && !valid.siblings)
    it('records are where they say', () => {
      for (const { start, end, value } of format.read(valid).records)
        expect(JSON.parse(textOf(valid.bytes.subarray(start, end)))).toEqual(value)
    })

  if (broken)
    it('a broken file is repaired, untouched records keep their bytes, twice changes nothing more', () => {
      const before = format.read(broken)
      expect([
        ...errorsIn(before),
        ...format.check(before).map(({ rule }) => rule),
        ...before.salvage.notes,
      ]).not.toEqual([])
      const { bytes } = repaired(format, broken)
      const now = { ...broken, bytes }
      expect(errorsIn(format.read(now))).toEqual([])
      for (const text of untouched) expect(textOf(bytes)).toContain(text)
      expect(repaired(format, now).bytes).toBe(bytes)
    })

  it('hostile input never throws', () => {
    for (const input of hostile(valid)) {
      const file = format.read(input)
      format.check(file)
      format.recognize(
        input,
        file.records.slice(0, 4).map(({ value }) => value),
      )
      for (const conversation of file.conversations)
        format.write(file, conversation, repair(conversation.history, optionsOf(conversation)).patch)
    }
  })
}

const ODD = [
  '',
  '{',
  '[',
  '[]',
  '{}',
  'null',
  '"x"',
  '[null,1,"a",[],{}]',
  '{"messages":[null,1,{"role":7,"content":{}}]}',
  '\u0000\u0000',
  '\ufeff[]',
  '{"__proto__":{"a":1},"messages":{}}\n[]\n{"kind":1,"k":["__proto__","polluted"],"v":1}',
  '['.repeat(5000),
]

function* hostile(valid: FileInput): Generator<FileInput> {
  for (const text of ODD) yield { ...valid, bytes: bytesOf(text) }
  for (let cut = 0; cut < valid.bytes.length; cut += Math.max(1, Math.floor(valid.bytes.length / 40)))
    yield { ...valid, bytes: valid.bytes.subarray(0, cut) }
  for (let at = 0; at < valid.bytes.length; at += Math.max(1, Math.floor(valid.bytes.length / 60))) {
    const bytes = valid.bytes.slice()
    bytes[at] = bytes[at]! ^ 0x11
    yield { ...valid, bytes }
  }
  const rows = [
    {},
    { data: 'x' },
    { id: 1, session_id: 1, role: null, parts: '{', content_json: '[1]', message_data: '7', data: '{"type":7}' },
  ]
  if (valid.tables)
    yield { ...valid, tables: Object.fromEntries(Object.keys(valid.tables).map((name) => [name, rows])) }
  if (valid.siblings)
    yield { ...valid, siblings: new Map([...valid.siblings.keys()].map((name) => [name, bytesOf('[{"a"')])) }
}

export const hosts: Readonly<Record<string, HostEnvironment>> = {
  linux: { platform: 'linux', home: '/home/u', env: {}, cwd: '/home/u/p' },
  darwin: { platform: 'darwin', home: '/Users/u', env: {}, cwd: '/Users/u/p' },
  win32: { platform: 'win32', home: 'C:\\Users\\u', env: {}, cwd: 'C:\\p' },
  wsl: { platform: 'wsl', home: '/home/u', env: {}, cwd: '/home/u/p' },
}
