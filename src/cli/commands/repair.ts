/**
 * `suture repair`: shows the repair of session files as a diff of records; writes it only when asked, with a backup.
 */

import { realpathSync } from 'node:fs'
import { removeAbandoned } from '../../session-files/node/abandoned.ts'
import { OpenHandles } from '../../session-files/node/open-handles.ts'
import { type Arguments, type Command, CommandError, type Context, EXIT, flag, textFlag } from '../command.ts'
import {
  CHECK_OPTIONS,
  checkWritable,
  leftLines,
  type Planned,
  planFile,
  planInput,
  plansAsJson,
  printPlan,
  writeInPlace,
  writeLostFound,
  writeOut,
} from '../doctor/index.ts'
import { filesOf, IGNORE_OPTIONS } from '../inputs.ts'
import { turn } from '../signals.ts'
import { paint } from '../terminal/index.ts'

export const repair: Command = {
  spec: {
    name: 'repair',
    summary: 'shows how files would be repaired; writes only with --write, after a verified backup.',
    usage: [
      'suture repair FILES…',
      'suture repair FILES… --write --plan ID',
      'suture repair FILE --out NEW',
      'suture repair - < in > out',
    ],
    examples: [
      ['suture repair session.jsonl', 'dry run: the diff, what is left, and the plan id'],
      ['suture repair session.jsonl --write --plan 3f9a2c01', 'makes exactly that repair'],
      ['suture undo session.jsonl', 'takes it back'],
      ['suture repair session.jsonl --out fixed.jsonl', 'the repaired file elsewhere'],
    ],
    options: {
      write: flag('write the files; the old bytes are kept for `suture undo`'),
      plan: textFlag('ID', 'only if the plan is still this one (exit 3 if not)', { multiple: true }),
      out: textFlag('FILE', 'write the repaired file there, or into that folder; "-" is standard output', {
        short: 'o',
      }),
      lossy: flag('also repairs that remove something a model could read'),
      force: flag('write even if the file is live or read-only, or has an unknown version or unknown record types'),
      'lost-found': textFlag('DIR', 'write records that the model will not see to this folder'),
      ...CHECK_OPTIONS,
      format: {
        type: 'string',
        short: 'f',
        choices: ['readable', 'json'],
        help: 'readable or json (the same diff, without content)',
      },
      'with-text': flag('include content in the JSON'),
      quiet: flag('no diff', { short: 'q' }),
      config: textFlag('FILE', 'configuration (default: suture.config.json)'),
      ...IGNORE_OPTIONS,
    },
    notes: [
      'Untouched records keep their bytes. What belongs to no record goes to a quarantine file in the state folder, beside the backup.',
    ],
  },
  async run(args, context) {
    checkUse(args)
    if (args.files[0] === '-') return fromInput(args, context)
    const paths = await filesOf(args.files, context, args)
    if (paths.length === 0) throw new CommandError(`No file matches ${args.files.join(', ')}.`)
    if (args.has('out') && paths.length > 1) throw new CommandError('--out takes one file at a time.')
    const planned: Planned[] = []
    for (const path of paths) {
      if (args.flag('write')) removeAbandoned(realpathSync(path))
      planned.push(await planFile(path, args, context))
      await turn()
    }
    const wanted = args.list('plan')
    const handles = new OpenHandles()
    if (args.flag('write')) for (const one of planned) checkWritable(one, wanted, args, context, handles)
    const lost = args.text('lost-found')
    const isDone = args.flag('write') || args.has('out')
    if (lost !== undefined) for (const one of planned) writeLostFound(one, lost, isDone, context)
    const out = args.text('out')
    if (out !== undefined) writeOut(planned[0]!, out, context)
    const entries = args.flag('write') ? planned.map((one) => writeInPlace(one, context)) : []
    if (args.text('format') === 'json') context.out(plansAsJson(planned, entries, args, context))
    else if (out !== '-') for (const [i, one] of planned.entries()) printPlan(one, entries[i], args, context)
    return exitOf(planned, args)
  },
}

function checkUse(args: Arguments): void {
  if (args.files.length === 0)
    throw new CommandError('Name a file: `suture repair session.jsonl`. `suture` alone finds the broken ones.')
  if (args.has('plan') && !args.flag('write'))
    throw new CommandError('--plan goes with --write: `suture repair FILE --write --plan ID`.')
  if (args.has('out') && args.flag('write'))
    throw new CommandError('--out and --write exclude each other: one writes a new file, the other this one.')
  if (args.files.includes('-') && args.has('lost-found'))
    throw new CommandError('--lost-found needs a file: `suture repair FILE --lost-found DIR`.')
  if (args.files.includes('-') && (args.files.length > 1 || args.flag('write')))
    throw new CommandError(
      '"-" is standard input: no other file, --write or --plan goes with it. The repaired file goes to standard output, or to --out FILE.',
    )
}

/** Standard input to standard output, or to `--out`. With nothing to repair the same bytes come out. */
async function fromInput(args: Arguments, context: Context): Promise<number> {
  const planned = planInput('<stdin>', await context.stdin(), args, context)
  const { plan } = planned
  writeOut(planned, args.text('out') ?? '-', context)
  if (plan.remaining.length > 0) for (const line of leftLines(planned, paint(false), args)) context.error(line)
  return exitWith(plan.remaining, [planned])
}

/** After a dry run all findings are still in the files. */
function exitOf(planned: readonly Planned[], args: Arguments): number {
  const isDone = args.flag('write') || args.has('out')
  const left = planned.flatMap(({ plan }) => (isDone ? plan.remaining : plan.findings))
  return exitWith(left, planned)
}

function exitWith(left: readonly { readonly severity: string }[], planned: readonly Planned[]): number {
  if (left.some(({ severity }) => severity === 'error')) return EXIT.findings
  return planned.some(({ verdict }) => verdict.notUnderstood.length > 0) ? EXIT.notUnderstood : EXIT.ok
}
