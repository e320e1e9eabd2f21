/** `suture doctor`, and `suture` alone: checks the sessions of all agents on this machine. Reads only. */
import { unknownName } from '../../core/options.ts'
import { type Arguments, type Command, CommandError, type Context, EXIT } from '../command.ts'
import {
  CHECK_OPTIONS,
  checkAll,
  doctorReport,
  exitCodeOf,
  firstInput,
  type Listed,
  REPORT_OPTIONS,
  reportOptionsOf,
  sessionsIn,
} from '../doctor/index.ts'
import { allSessions, filesOf } from '../inputs.ts'
import { report } from '../reporters/index.ts'

export const doctor: Command = {
  spec: {
    name: 'doctor',
    summary: 'checks the sessions of all agents on this machine; reads only.',
    usage: ['suture', 'suture doctor [ID|FILE…] [--last] [options]', 'suture doctor - < error.txt'],
    examples: [
      ['suture', 'all sessions in their usual places'],
      ['suture doctor 7cba', 'the session whose id begins with 7cba'],
      ['suture doctor --last', 'the session that was written last'],
      ['pbpaste | suture doctor', 'a copied 400: finds the file and the line that it is about'],
    ],
    options: {
      last: { type: 'boolean', help: 'only the session that was written last' },
      all: { type: 'boolean', short: 'a', help: 'also list all valid sessions' },
      agent: {
        type: 'string',
        multiple: true,
        value: 'FORMAT',
        help: 'only sessions of this agent: claude-code, codex, …',
      },
      ...CHECK_OPTIONS,
      ...REPORT_OPTIONS,
    },
    notes: ['Reports of unchanged files are kept in a cache; --no-cache reads all again.'],
  },
  async run(args, context) {
    const text = await firstInput(args.files, args.flag('last'), context)
    if (text !== undefined) return (await import('../doctor/doctor-error-text.ts')).diagnoseText(text, args, context)
    const listed = args.files.length > 0 ? await named(args, context) : await everywhere(args, context)
    const { files } = listed
    const run = { command: 'doctor', version: context.version, ...listed }
    const options = reportOptionsOf(args, context)
    const readable = doctorReport({
      all: args.flag('all') || args.files.length > 0 || args.flag('last'),
      host: context.host,
    })
    await report(run, args.list('format'), options, context, readable)
    // An unreadable file that was not named is a finding, not wrong use.
    const code = exitCodeOf(files, args)
    return code === EXIT.usage && args.files.length === 0 ? (args.flag('exit-zero') ? EXIT.ok : EXIT.findings) : code
  },
}

async function named(args: Arguments, context: Context): Promise<Listed> {
  const paths = await filesOf(args.files, context)
  return sessionsIn(await checkAll(paths, args, context, !args.flag('no-cache')), args.files, context)
}

async function everywhere(args: Arguments, context: Context): Promise<Listed> {
  const agents = args.list('agent')
  await checkAgents(agents)
  const found = allSessions(context).filter(({ format }) => agents.length === 0 || agents.includes(format))
  const paths = (args.flag('last') ? found.slice(0, 1) : found).map(({ path }) => path)
  return sessionsIn(await checkAll(paths, args, context, !args.flag('no-cache')), [], context)
}

async function checkAgents(agents: readonly string[]): Promise<void> {
  if (agents.length === 0) return
  const { formats } = await import('../../session-files/formats.ts')
  const known = formats.map(({ id }) => id)
  const odd = agents.find((one) => !known.includes(one))
  if (odd !== undefined) throw new CommandError(unknownName('agent', odd, known).message)
}
