/** Finds the command, parses its arguments, and turns every outcome into an exit code. */

import { existsSync } from 'node:fs'
import { isSutureError } from '../core/error.ts'
import { type Arguments, type Command, CommandError, type Context, EXIT, type Values } from './command.ts'
import { type CommandName, commandNames, loaders } from './commands.ts'
import { errorText } from './error-text.ts'
import { leaveSignals } from './signals.ts'

export async function run(args: readonly string[], context: Context): Promise<number> {
  try {
    return await dispatch(args, context)
  } catch (error) {
    context.error(errorText(error))
    return exitCodeOf(error)
  }
}

async function dispatch(args: readonly string[], context: Context): Promise<number> {
  const [first, ...rest] = args
  if (first === 'help' && isCommand(rest[0])) return dispatch([rest[0], '--help'], context)
  if (first === 'help' || first === '--help' || first === '-h') {
    context.out((await import('./help.ts')).overview())
    return EXIT.ok
  }
  if (first === undefined) return start('doctor', [], context)
  if (isCommand(first)) return start(first, rest, context)
  // `suture FILE` and `suture --last` mean the doctor.
  if (first.startsWith('-') || existsSync(first)) return start('doctor', args, context)
  throw await unknownCommand(first)
}

async function start(name: CommandName, args: readonly string[], context: Context): Promise<number> {
  const command: Command = await loaders[name]()
  if (args.includes('--help') || args.includes('-h')) {
    context.out((await import('./help.ts')).commandHelp(command.spec))
    return EXIT.ok
  }
  if (command.endsItself) leaveSignals()
  const { parseCommand } = await import('./arguments.ts')
  const given = parseCommand(args, command.spec)
  const defaults = await defaultsOf(command, given, context)
  const settled = defaults === undefined ? given : parseCommand(args, command.spec, defaults)
  if (settled.has('only')) (await import('./doctor/rule-names.ts')).checkRuleNames(settled.list('only'))
  return command.run(settled, context)
}

async function defaultsOf(command: Command, given: Arguments, context: Context): Promise<Values | undefined> {
  if (command.defaults) return command.defaults(given, context)
  const { configDefaults } = await import('./config.ts')
  return configDefaults(given.text('config'), command.spec, context.host.cwd)
}

function isCommand(name: string | undefined): name is CommandName {
  return name !== undefined && Object.hasOwn(loaders, name)
}

async function unknownCommand(name: string): Promise<CommandError> {
  const { suggest } = await import('../core/options.ts')
  const near = suggest(name, commandNames)
  const looksLikeFile = /[./\\]/.test(name)
  const step = looksLikeFile
    ? `There is no file of that name either.`
    : near === undefined
      ? `Commands: ${commandNames.join(', ')}.`
      : `Did you mean "suture ${near}"?`
  return new CommandError(`There is no command "${name}". ${step} \`suture --help\` explains them.`)
}

const CODES: Readonly<Record<string, number>> = { conflict: EXIT.busy, fenced: EXIT.busy }

function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) return error.exit
  return (isSutureError(error) ? CODES[error.code] : undefined) ?? EXIT.usage
}
