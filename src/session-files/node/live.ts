/**
 * Whether an agent is writing to a file now: the agent's own sign (pid registry, lock, lease), open handles, the time
 * of the last change.
 */
import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isObject, type JsonObject, orUndefined, wordOf } from '../../core/index.ts'
import { fromJson } from '../json-values.ts'
import type { HostEnvironment } from '../types.ts'
import { OpenHandles } from './open-handles.ts'
import { isAlive } from './processes.ts'
import { namesIn, readRegular } from './regular-file.ts'

const RECENT_MS = 60_000

export interface LiveOptions {
  readonly host: HostEnvironment
  readonly format?: string | undefined
  readonly sessionId?: string | undefined
  /** For several files of one run, so that the machine's processes are listed once. */
  readonly handles?: OpenHandles | undefined
  /** The file was written by a repair: the time of its last change is no sign. */
  readonly isRepaired?: boolean
}

/** Why the file is taken to be in use, as a sentence without a full stop. Undefined if it is not. */
export function liveSign(path: string, options: LiveOptions): string | undefined {
  const sign = agentSign(path, options) ?? openHandle(path, options.handles)
  if (sign !== undefined || options.isRepaired || !isRecent(path)) return sign
  return `it was changed less than ${RECENT_MS / 1000} seconds ago`
}

function agentSign(path: string, options: LiveOptions): string | undefined {
  switch (options.format) {
    case 'claude-code':
      return claudeProcess(path, options)
    case 'codex':
      return lockBeside(path, [/\.lock$/], basename(path).replace(/\.jsonl(\.zst)?$/, ''))
    case 'qwen-code':
      return qwenRuntime(path)
    case 'copilot-cli':
      return lockBeside(path, [/\.lock$/, /^inuse\..*\.lock$/])
    default:
      return undefined
  }
}

/** `~/.claude/sessions/<pid>.json` outlives crashes, so the process itself is looked at. */
function claudeProcess(path: string, { host, sessionId }: LiveOptions): string | undefined {
  const folder = join(host.env['CLAUDE_CONFIG_DIR'] || join(host.home, '.claude'), 'sessions')
  const id = sessionId ?? basename(path).replace(/\.jsonl$/, '')
  for (const name of namesIn(folder)) {
    const entry = jsonIn(join(folder, name))
    const pid = Number(wordOf(entry?.['pid'] ?? name.replace(/\.json$/, '')))
    const isThis = entry?.['sessionId'] === id || entry?.['session_id'] === id
    if (isThis && isAlive(pid)) return `Claude Code has this session open (process ${pid})`
  }
  return undefined
}

function qwenRuntime(path: string): string | undefined {
  const stem = path.replace(/\.jsonl$/, '')
  for (const name of [`${stem}.runtime.json`, `${stem}.lease.json`, `${stem}.lease`]) {
    const entry = jsonIn(name)
    if (!entry) continue
    const pid = Number(wordOf(entry['pid'] ?? entry['ownerPid']))
    if (!Number.isInteger(pid) || isAlive(pid)) return `Qwen Code has this session open (${basename(name)})`
  }
  return undefined
}

/** A lock file that names a dead process is stale. One without a process id counts for a minute. */
function lockBeside(path: string, names: readonly RegExp[], stem?: string): string | undefined {
  const folder = dirname(path)
  for (const name of namesIn(folder)) {
    if (!names.some((one) => one.test(name)) || (stem !== undefined && !name.includes(stem))) continue
    const full = join(folder, name)
    const pid = pidOf(name, full)
    if (pid === undefined ? isRecent(full) : isAlive(pid)) return `a lock file is beside it (${name})`
  }
  return undefined
}

function pidOf(name: string, full: string): number | undefined {
  const text = textIn(full).slice(0, 4096)
  const [, pid] = /\.(\d+)\.lock$/.exec(name) ?? /"pid"\s*:\s*(\d+)/.exec(text) ?? /^\s*(\d+)\s*$/.exec(text) ?? []
  return pid === undefined ? undefined : Number(pid)
}

function openHandle(path: string, handles: OpenHandles = new OpenHandles()): string | undefined {
  const real = orUndefined(() => realpathSync(path))
  const found = real === undefined ? undefined : orUndefined(() => statSync(real))
  const pid = found && handles.writerOf(found, basename(real!))
  return pid === undefined || pid === process.pid ? undefined : `process ${pid} has it open`
}

function isRecent(path: string): boolean {
  return orUndefined(() => Date.now() - statSync(path).mtimeMs < RECENT_MS) ?? false
}

function jsonIn(path: string): JsonObject | undefined {
  const value = fromJson(textIn(path))
  return isObject(value) ? value : undefined
}

/** Empty if the file cannot be read. */
function textIn(path: string): string {
  return orUndefined(() => readRegular(path).toString()) ?? ''
}
