/** `suture undo`: restores the exact bytes that a file had before a repair. Records appended since are kept. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { readOnly } from '../../session-files/node/attributes.ts'
import { stateFolder } from '../../session-files/node/host.ts'
import { liveSign } from '../../session-files/node/live.ts'
import { OpenHandles } from '../../session-files/node/open-handles.ts'
import { type BackupEntry, KEPT_DAYS, listBackups } from '../../session-files/node/state.ts'
import { lastWrite, undoWrite } from '../../session-files/node/write.ts'
import { type Arguments, type Command, CommandError, type Context, EXIT } from '../command.ts'
import { filesOf } from '../inputs.ts'
import { stopOnSignals } from '../signals.ts'
import { ageText, bytesText, oneLine, plural } from '../terminal/index.ts'

export const undo: Command = {
  spec: {
    name: 'undo',
    summary: 'brings back the exact bytes that a file had before a repair.',
    usage: ['suture undo FILE', 'suture undo --list', 'suture undo --entry ID'],
    examples: [
      ['suture undo session.jsonl', 'undoes the latest repair of this file'],
      ['suture undo --list', `what can be undone (kept for ${KEPT_DAYS} days with writes)`],
    ],
    options: {
      list: { type: 'boolean', short: 'l', help: 'what can be undone, newest first' },
      entry: { type: 'string', value: 'ID', help: 'this entry of the list instead of the latest one of a file' },
      force: {
        type: 'boolean',
        help: 'undo even if the file is live or read-only, or the agent has continued from records that the repair added',
      },
      json: { type: 'boolean', help: 'the list as JSON' },
    },
    notes: [
      'If the agent has appended records since, they stay and the rest is restored. If it changed anything else, nothing is written (exit 3).',
    ],
  },
  async run(args, context) {
    const state = stateFolder(context.host)
    if (args.flag('list')) return list(state, args, context)
    const handles = new OpenHandles()
    for (const entry of await entriesOf(state, args, context)) {
      const live = liveSign(entry.path, { host: context.host, format: entry.format, handles, isRepaired: true })
      if (live !== undefined && !args.flag('force'))
        throw new CommandError(`${entry.path} is live: ${live}. Close the agent, or use --force.`, { exit: EXIT.busy })
      const closed = existsSync(entry.path) && !args.flag('force') ? readOnly(entry.path) : undefined
      if (closed !== undefined) throw new CommandError(`${entry.path}: ${closed}. Nothing was written.`)
      stopOnSignals()
      const { kept, again } = undoWrite(state, entry, args.flag('force'))
      const extra = kept > 0 ? ` ${plural(kept, 'byte')} that were appended since are kept.` : ''
      context.out(
        again
          ? `${oneLine(entry.path, 500)} already has its old bytes.`
          : `${oneLine(entry.path, 500)}: restored as of ${entry.at} (${bytesText(entry.before.size)}).${extra}`,
      )
    }
    return EXIT.ok
  },
}

async function entriesOf(state: string, args: Arguments, context: Context): Promise<readonly BackupEntry[]> {
  const id = args.text('entry')
  if (id !== undefined) {
    const found = listBackups(state).filter((one) => one.id.startsWith(id))
    if (found.length === 1) return found
    throw new CommandError(
      `${found.length === 0 ? 'No' : 'More than one'} entry begins with "${id}". \`suture undo --list\` shows them.`,
    )
  }
  if (args.files.length === 0)
    throw new CommandError('Name a file: `suture undo session.jsonl`. `suture undo --list` shows what can be undone.')
  const paths = await filesOf(args.files, context)
  return paths.map((path) => {
    const entry = lastWrite(state, path)
    if (entry) return entry
    throw new CommandError(
      `Nothing to undo for ${resolve(path)}: no repair of it is stored. \`suture undo --list\` shows what is.`,
    )
  })
}

function list(state: string, args: Arguments, context: Context): number {
  const entries = listBackups(state).filter((one) => one.kind === 'repair')
  if (args.flag('json')) context.out(JSON.stringify(entries, null, 2))
  else if (entries.length === 0) context.out('Nothing to undo: no repair is stored.')
  else for (const one of entries) context.out(lineOf(one))
  return EXIT.ok
}

function lineOf({ id, path, at, undoneBy, before, changes, quarantined }: BackupEntry): string {
  const state = undoneBy === undefined ? '' : '  (undone)'
  const what = [changes > 0 && plural(changes, 'change'), quarantined > 0 && `${plural(quarantined, 'piece')} removed`]
    .filter(Boolean)
    .join(', ')
  return `${id}  ${ageText(Date.parse(at)).padEnd(11)}${bytesText(before.size).padStart(9)}  ${what}  ${oneLine(path, 400)}${state}`
}
