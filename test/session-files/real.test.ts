/**
 * Files that agents wrote, where they are on this machine: each has its verdict in expected.json, and repairs keep
 * their promises on it.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkSessionFile, openSessionFile, planRepair } from '../../src/session-files/index.ts'
import { bytesOf, textOf } from '../../src/session-files/salvage/bytes.ts'
import type { FileFinding, FileInput, SessionFile } from '../../src/session-files/types.ts'
import { unreadParts } from '../../src/session-files/unread-parts.ts'
import { corpus, hasCorpus, rowsOf } from '../corpus.ts'
import { skippable } from '../skip-reasons.ts'
import expected from './expected.json' with { type: 'json' }

const folder = process.env['SUTURE_SESSION_FILES'] ?? join(corpus, '../session-files')
const hasFiles = existsSync(folder)
/** Files that hold a conversation; the others beside them are sidecars. */
const SESSIONS = /\.jsonl$|\.messages\.json$|continue-[^/]*\/.*\.json$|\.rows\.json$/

const files: [string, Uint8Array, FileInput['tables']?][] = []
if (hasFiles) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!SESSIONS.test(name)) continue
    const bytes = new Uint8Array(readFileSync(join(folder, name)))
    // Rows of a database, as JSON.
    if (name.endsWith('.rows.json')) files.push([name, new Uint8Array(), JSON.parse(textOf(bytes))])
    else files.push([name, bytes])
  }
}
for (const row of rowsOf('claude-code-jsonl')) {
  files.push([row.id, bytesOf(row.messages.map((line) => `${JSON.stringify(line)}\n`).join(''))])
}

/** The verdict on a file, as the table has it. */
export function verdictOf(findings: readonly FileFinding[]): string {
  const rules = (kind: FileFinding['kind']) => [
    ...new Set(findings.filter((one) => one.kind === kind && one.severity === 'error').map(({ rule }) => rule)),
  ]
  const lost = [...rules('salvage'), ...rules('load')]
  if (lost.length > 0) return `not loaded: ${lost.join(', ')}`
  if (rules('provider').length > 0) return `provider rejects: ${rules('provider').join(', ')}`
  return findings.length > 0 ? 'agent repairs it on load' : 'valid'
}

describe(skippable('files of real agents', (!hasFiles || !hasCorpus) && 'no session files or corpus'), () => {
  it.skipIf(!hasFiles || !hasCorpus)('have the verdicts of the table', () => {
    const found = Object.fromEntries(
      files.map(([name, bytes, tables]) => [name, verdictOf(checkSessionFile(opened(name, bytes, tables)))]),
    )
    if (process.env['SUTURE_WRITE_EXPECTED'] === '1')
      writeFileSync(join(import.meta.dirname, 'expected.json'), `${JSON.stringify(found, null, 2)}\n`)
    expect(found).toEqual(expected)
  })

  it.skipIf(!hasFiles || !hasCorpus).each(files)('%s keeps its records', (name, bytes, tables) => {
    const file = opened(name, bytes, tables)
    expect(file.salvage).toEqual({ quarantined: [], notes: [] })
    const plan = planRepair(file, { lossy: true, force: true })
    expect(unreadParts(file)).toEqual([])
    const valid = checkSessionFile(file).every(({ severity }) => severity === 'warning')
    if (valid) expect(plan.bytes).toBe(bytes)
    const again = planRepair(opened(name, plan.bytes, tables), { lossy: true, force: true })
    // A database is written by statements, not by new bytes.
    if (!tables) expect(again.changes).toEqual([])
    keepsRecords(file, plan.bytes, plan.changes.length)
  })
})

function opened(name: string, bytes: Uint8Array, tables: FileInput['tables']): SessionFile {
  return tables
    ? openSessionFile({ bytes, tables, path: name }, { format: 'opencode' })
    : openSessionFile({ bytes, path: name })
}

function keepsRecords(file: SessionFile, bytes: Uint8Array, changes: number): void {
  const after = new Set(
    textOf(bytes)
      .split('\n')
      .map((line) => line.trimEnd()),
  )
  const before = textOf(file.input.bytes)
    .split('\n')
    .map((line) => line.trimEnd())
  const gone = before.filter((line) => line !== '' && !after.has(line))
  expect(gone.length).toBeLessThanOrEqual(changes)
}
