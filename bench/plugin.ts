/**
 * The hook of the Claude Code plugin on a valid transcript of 1 MB, against `node -e 0`, in one run. Rounds alternate,
 * so that both see the same machine.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HOOK } from '../scripts/build-plugin.ts'

const BAR = 2.5
const ROUNDS = 15
const ID = '11111111-2222-4333-8444-555555555555'
const folder = mkdtempSync(join(tmpdir(), 'suture-hook-bench-'))

/** Prompts, calls and results in turn, as Claude Code writes them. */
function transcript(size: number): string {
  const lines: string[] = []
  for (let bytes = 0, i = 0; bytes < size || i % 3 !== 1; i++) {
    const line = JSON.stringify(recordAt(i))
    lines.push(line)
    bytes += line.length + 1
  }
  return `${lines.join('\n')}\n`
}

function recordAt(i: number): object {
  const id = `toolu_${String(i - (i % 3)).padStart(20, '0')}`
  const bodies = [
    ['user', 'Read the next file and say what is in it.'],
    ['assistant', [{ type: 'tool_use', id, name: 'Read', input: { file_path: `/project/src/file-${i}.ts` } }]],
    ['user', [{ type: 'tool_result', tool_use_id: id, content: 'export const value = 1\n'.repeat(80) }]],
  ] as const
  const [type, content] = bodies[(i % 3) as 0 | 1 | 2]
  const reply = type === 'assistant' ? { id: `msg_${i}`, type: 'message', model: 'claude-sonnet-4-5' } : {}
  return {
    parentUuid: i === 0 ? null : `u${i - 1}`,
    isSidechain: false,
    userType: 'external',
    cwd: '/project',
    sessionId: ID,
    version: '2.1.0',
    type,
    message: { ...reply, role: type, content },
    uuid: `u${i}`,
    timestamp: new Date(1_700_000_000_000 + i * 1000).toISOString(),
  }
}

function run(args: readonly string[], input = ''): number {
  const began = performance.now()
  const { status, stdout } = spawnSync(process.execPath, args, { input, encoding: 'utf8' })
  const ms = performance.now() - began
  if (status !== 0 || stdout !== '') throw new Error(`${args.join(' ')}: status ${status}, output ${stdout}`)
  return ms
}

try {
  const path = join(folder, `${ID}.jsonl`)
  writeFileSync(path, transcript(1_000_000))
  const input = JSON.stringify({ session_id: ID, transcript_path: path, source: 'resume' })
  let [bare, hook] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < ROUNDS; round++) {
    bare = Math.min(bare, run(['-e', '0']))
    hook = Math.min(hook, run([HOOK], input))
  }
  const ratio = hook / bare
  console.log(`node -e 0 ${bare.toFixed(0)} ms, hook ${hook.toFixed(0)} ms: ${ratio.toFixed(2)} x (bar ${BAR})`)
  if (ratio > BAR) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true })
}
