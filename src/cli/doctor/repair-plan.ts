/** Reads a file and plans its repair, by the options of the command line. */
import { checkSessionFile, type FileVerdict, planRepair, verdictOf } from '../../session-files/index.ts'
import { type FileOnDisk, readSessionFile } from '../../session-files/node/read.ts'
import type { FileInput, PlanOptions, RepairPlan, SessionFile } from '../../session-files/types.ts'
import type { Arguments, Context } from '../command.ts'
import { opened } from '../inputs.ts'
import { isWanted } from './plain-finding.ts'

export interface Planned {
  readonly path: string
  readonly disk?: FileOnDisk
  readonly file: SessionFile
  readonly plan: RepairPlan
  readonly verdict: FileVerdict
}

export async function planFile(path: string, args: Arguments, context: Context): Promise<Planned> {
  const disk = await readSessionFile(path)
  return { ...planned(path, disk.input, args, context), disk }
}

export function planInput(path: string, bytes: Uint8Array, args: Arguments, context: Context): Planned {
  return planned(path, { bytes }, args, context)
}

function planned(path: string, input: FileInput, args: Arguments, context: Context): Planned {
  const file = opened(path, input, args, context)
  const options: PlanOptions = {
    provider: args.text('provider'),
    model: args.text('model'),
    lossy: args.flag('lossy'),
    force: args.flag('force'),
  }
  const plan = planRepair(file, { ...options, ...onlyOf(file, args, options) })
  return { path, file, plan, verdict: verdictOf(file, plan.findings) }
}

/** Replaces a kind, as in `--only chain`, by the found rules of that kind. */
function onlyOf(file: SessionFile, args: Arguments, options: PlanOptions): { only?: readonly string[] } {
  if (!args.has('only')) return {}
  const words = args.list('only')
  const found = checkSessionFile(file, options).filter((one) => isWanted(one.rule, one.kind, words))
  return { only: [...new Set([...words, ...found.map((one) => one.rule)])] }
}
