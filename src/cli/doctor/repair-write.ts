/** Writes for `suture repair`: rejects live and changed files, writes in place with a backup, or to another file. */
import { existsSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { removeAbandoned } from '../../session-files/node/abandoned.ts'
import { cannotReplace, readOnly } from '../../session-files/node/attributes.ts'
import { cannotCompress } from '../../session-files/node/compression.ts'
import { stateFolder } from '../../session-files/node/host.ts'
import { liveSign } from '../../session-files/node/live.ts'
import type { OpenHandles } from '../../session-files/node/open-handles.ts'
import { type BackupEntry, quarantineLines } from '../../session-files/node/state.ts'
import { writePlan } from '../../session-files/node/write.ts'
import { type Arguments, CommandError, type Context, EXIT } from '../command.ts'
import { stopOnSignals } from '../signals.ts'
import { oneLine, quotedPath } from '../terminal/index.ts'
import type { Planned } from './repair-plan.ts'

const SHORTEST_PLAN = 6

/** Called for all files before anything is written: all are written or none. */
export function checkWritable(
  { path, plan, file, disk }: Planned,
  wanted: readonly string[],
  args: Arguments,
  context: Context,
  handles: OpenHandles,
): void {
  const short = wanted.find((one) => one.length < SHORTEST_PLAN)
  if (short !== undefined)
    throw new CommandError(`The plan id "${short}" is too short: give at least ${SHORTEST_PLAN} characters.`)
  if (wanted.length > 0 && !wanted.some((one) => plan.fingerprint.startsWith(one)))
    throw new CommandError(
      `${path}: the file, the findings or the options have changed since the plan was made; it is now ${plan.fingerprint.slice(0, 12)}. Nothing was written. Look at it again: \`suture repair ${path}\`.`,
      { exit: EXIT.busy },
    )
  if (plan.bytes === file.input.bytes) return
  if (plan.blocked !== undefined) {
    const next = plan.newFile ? ` Next: ${newFileCommand(path, context.host.home)}` : ''
    throw blocked(path, plan.blocked, next)
  }
  if (disk) removeAbandoned(realpathSync(path))
  const cannot =
    disk &&
    (cannotCompress(disk.compression) ?? cannotReplace(path) ?? (args.flag('force') ? undefined : readOnly(path)))
  if (cannot !== undefined) throw new CommandError(`${path}: ${cannot}. Nothing was written.`)
  const live = liveSign(path, { host: context.host, format: file.format, sessionId: file.sessionId, handles })
  if (live !== undefined && !args.flag('force'))
    throw new CommandError(
      `${path} is live: ${live}. Nothing was written. Close the agent and try again, or use --force.`,
      { exit: EXIT.busy },
    )
}

function blocked(path: string, why: string, next = ''): CommandError {
  return new CommandError(`${path} cannot be written: ${why} Nothing was written.${next}`)
}

/** The command for a repair that cannot be written in place: it writes a new file beside the old one. */
export function newFileCommand(path: string, home: string): string {
  return `suture repair ${quotedPath(path, home)} --out ${quotedPath(dirname(path), home)}`
}

export function writeInPlace({ plan, file, disk }: Planned, context: Context): BackupEntry | undefined {
  if (plan.bytes === file.input.bytes || !disk) return undefined
  stopOnSignals()
  return writePlan(disk, plan, { state: stateFolder(context.host), format: file.format })
}

/** Writes an uncompressed file and its quarantine beside it. Never over an existing file. */
export function writeOut({ path, plan, file }: Planned, out: string, context: Context): void {
  if (plan.blocked !== undefined && !plan.newFile) throw blocked(path, plan.blocked)
  const { name, bytes } = plan.newFile ?? { name: basename(path), bytes: plan.bytes }
  if (out === '-') return void context.data(bytes)
  if (file.input.tables !== undefined)
    throw new CommandError('A database cannot be written to another file. `suture export` writes its history.')
  const given = resolve(context.host.cwd, out)
  const target = statSync(given, { throwIfNoEntry: false })?.isDirectory() ? join(given, name) : given
  if (existsSync(target)) throw new CommandError(`${target} exists. Choose another name for --out.`)
  writeFileSync(target, bytes, { flag: 'wx', mode: 0o600 })
  if (plan.quarantined.length > 0)
    writeFileSync(`${target}.quarantine.jsonl`, quarantineLines(plan.quarantined), { flag: 'wx', mode: 0o600 })
  context.error(`Wrote ${oneLine(target, 500)}.`)
}
