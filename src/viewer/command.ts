/**
 * `suture view FILE`: reads the file, serves the page, and writes with the plan, backup and undo of `suture repair`.
 */
import { spawn } from 'node:child_process'
import { basename } from 'node:path'
import { SutureError } from '../core/index.ts'
import { openSessionFile, planRepair } from '../session-files/index.ts'
import {
  currentHost,
  lastWrite,
  liveSign,
  readOnly,
  readSessionFile,
  stateFolder,
  undoWrite,
  writePlan,
} from '../session-files/node/index.ts'
import type { RepairPlan } from '../session-files/types.ts'
import { type FileWriter, serveView, type WriteTarget } from './serve.ts'

interface CommandOptions {
  readonly port?: number | undefined
  readonly open: boolean
  out(text: string): void
  untilStopped(): Promise<string>
}

export async function serveViewer(files: readonly string[], options: CommandOptions): Promise<number> {
  const [path] = files
  if (path === undefined)
    throw new SutureError(
      'bad-option',
      'Name the file to show: suture view FILE. `suture` lists those on this machine.',
    )
  const { input } = await readSessionFile(path)
  const viewing = await serveView({
    name: basename(path),
    read: async () => (await readSessionFile(path)).input.bytes,
    siblings: input.siblings,
    writer: writerOf(path),
    port: options.port,
  })
  options.out(`${viewing.url}\nOpen it once: the link works for one browser. Ctrl-C ends it.`)
  if (options.open) openBrowser(viewing.url)
  await options.untilStopped()
  await viewing.close()
  return 0
}

/** Writes by plan, backup and undo, as `suture repair` does. A file in use is not written. */
function writerOf(path: string): FileWriter {
  const host = currentHost()
  const state = stateFolder(host)
  const planned = async ({ provider, model, lossy }: WriteTarget) => {
    const disk = await readSessionFile(path)
    const file = openSessionFile(disk.input)
    return { disk, file, plan: planRepair(file, { provider, model, lossy }) }
  }
  return {
    plan: async (target) => {
      const { plan } = await planned(target)
      return { fingerprint: plan.fingerprint, message: summary(plan), lossy: lossyErrors(plan) }
    },
    apply: async (target, fingerprint) => {
      const { disk, file, plan } = await planned(target)
      if (plan.blocked !== undefined) throw new SutureError('conflict', plan.blocked)
      if (plan.fingerprint !== fingerprint)
        throw new SutureError('conflict', 'The file has changed since the plan was made. Reload it.')
      const live = liveSign(path, { host, format: file.format, sessionId: file.sessionId })
      if (live !== undefined)
        throw new SutureError('conflict', `${path} is in use: ${live}. End that session, then write it.`)
      const closed = readOnly(path)
      if (closed !== undefined) throw new SutureError('conflict', `${path} was not written: ${closed}.`)
      const entry = writePlan(disk, plan, { state, format: file.format })
      return { message: `Written. Backup ${entry.id}; "Undo on disk" restores the old bytes.` }
    },
    undo: async () => {
      const entry = lastWrite(state, path)
      if (!entry) throw new SutureError('conflict', 'There is no write of this file to undo.')
      const { again } = undoWrite(state, entry)
      return { message: again ? 'The file already has its old bytes.' : 'The old bytes are back.' }
    },
  }
}

function lossyErrors({ remaining }: RepairPlan): number {
  return remaining.filter(({ severity, repair }) => severity === 'error' && repair === 'lossy').length
}

function summary({ changes, quarantined, remaining, blocked }: RepairPlan): string {
  if (blocked !== undefined) throw new SutureError('conflict', blocked)
  const errors = remaining.filter(({ severity }) => severity === 'error').length
  const count = changes.length + quarantined.length
  if (count === 0) return 'There is nothing to write.'
  return `${count} ${count === 1 ? 'record changes' : 'records change'}; ${errors} errors remain.`
}

function openBrowser(url: string): void {
  const command = process.platform === 'darwin' ? 'open' : process.platform === 'win32' ? 'explorer' : 'xdg-open'
  spawn(command, [url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
