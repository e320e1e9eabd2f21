/**
 * The SessionStart hook of the Claude Code plugin: checks the transcript, says nothing if it is valid, else adds a
 * short note. Reads only, never prints conversation text, and never stops a session: any failure of its own is silent.
 */
import { readFileSync, statSync } from 'node:fs'
import { quoted } from '../../src/cli/terminal/shell-quote.ts'
import { claudeCode } from '../../src/session-files/claude-code/index.ts'
import { providerFindings } from '../../src/session-files/provider-findings.ts'

/** A hook must be quick; larger files are left to `suture doctor`. */
const LARGEST = 64 * 1024 * 1024

interface HookInput {
  readonly session_id?: unknown
  readonly transcript_path?: unknown
}

function noteFor({ session_id: id, transcript_path: path }: HookInput): string | undefined {
  // A new session has no file yet.
  if (typeof path !== 'string' || (statSync(path, { throwIfNoEntry: false })?.size ?? LARGEST + 1) > LARGEST) return
  const file = claudeCode.read({ bytes: readFileSync(path), path })
  const damaged = file.salvage.quarantined.length + file.salvage.notes.length
  const errors = [...claudeCode.check(file), ...providerFindings(file, claudeCode.title, {})].filter(
    ({ severity }) => severity === 'error',
  )
  if (errors.length + damaged === 0) return
  const rules = [...new Set(errors.map(({ rule }) => rule))].slice(0, 5)
  if (damaged > 0) rules.push('damaged records')
  const count = errors.length + damaged
  const name = typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? id : quoted(path)
  return [
    `Suture: this session's transcript has ${count === 1 ? '1 problem' : `${count} problems`} (${rules.join(', ')}).`,
    'Requests may be rejected, or earlier turns may be missing from the context.',
    `Tell the user to exit and run: npx suture repair ${name}`,
    'Do not edit the transcript file yourself.',
  ].join('\n')
}

try {
  const note = noteFor(JSON.parse(readFileSync(0, 'utf8')) as HookInput)
  if (note !== undefined) process.stdout.write(`${note}\n`)
} catch {
  // The session is more important than the check.
}
