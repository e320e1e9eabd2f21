/** The files that are mutated: of every session-file format, valid, broken and longer ones. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { jsonText } from '../../src/core/index.ts'
import { recognize } from '../../src/session-files/index.ts'
import type { FileInput } from '../../src/session-files/types.ts'
import { cases } from '../../test/session-files/format-cases.ts'
import { DAMAGE_SAMPLES } from '../../test/session-files/samples.ts'

/** Bytes of the file; for a database its rows, and for a folder its files, as JSON. */
export interface Sample {
  readonly format: string
  readonly kind: 'bytes' | 'tables' | 'siblings'
  readonly text: string
  readonly path?: string | undefined
}

const LARGEST = 300_000

/** `folder`: more files, of agents on this machine. */
export function samplesWith(folder: string | undefined): readonly Sample[] {
  const written = DAMAGE_SAMPLES.map(({ format, container: { head, between, tail }, records }): Sample => {
    const lines = records().map((one) => JSON.stringify(one))
    return { format, kind: 'bytes', text: head + lines.join(between) + tail }
  })
  const others = cases.flatMap(({ format, valid, broken }) =>
    [valid, ...(broken ? [broken] : [])].map((input) => sampleOf(format.id, input)),
  )
  return [...written, ...others, ...(folder === undefined ? [] : [...filesIn(folder)])]
}

function sampleOf(format: string, { bytes, tables, siblings, path }: FileInput): Sample {
  if (tables) return { format, kind: 'tables', text: JSON.stringify(tables), path }
  const text = Buffer.from(bytes).toString()
  if (!siblings) return { format, kind: 'bytes', text, path }
  const files = [...siblings].map(([name, own]) => [name, JSON.parse(Buffer.from(own).toString())] as const)
  return {
    format,
    kind: 'siblings',
    text: JSON.stringify({ '': JSON.parse(text), ...Object.fromEntries(files) }),
    path,
  }
}

function* filesIn(folder: string): Generator<Sample> {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name)
    if (!/\.jsonl?$/.test(name) || statSync(path).size > LARGEST) continue
    const text = readFileSync(path, 'utf8')
    const format = recognize({ bytes: Buffer.from(text), path })[0]?.format.id
    if (format !== undefined) yield { format, kind: 'bytes', text, path: name }
  }
}

/** What a format reads: the mutated bytes in the place where they came from. */
export function inputOf(kind: Sample['kind'], bytes: Buffer, path: string | undefined): FileInput | undefined {
  if (kind === 'bytes') return { bytes, path }
  let value: unknown
  try {
    value = JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (kind === 'tables') return { bytes: new Uint8Array(0), tables: value as never, path }
  const { '': base, ...files } = value as Record<string, unknown>
  const siblings = new Map(Object.entries(files).map(([name, own]) => [name, Buffer.from(jsonText(own) ?? '')]))
  return { bytes: Buffer.from(jsonText(base) ?? ''), siblings, path }
}
