/** Parses the arguments of a command by its description. Errors name the probable flag or value and the next step. */
import { parseArgs } from 'node:util'
import { suggest } from '../core/options.ts'
import { type Arguments, CommandError, type CommandSpec, type OptionSpec, optionsOf, type Values } from './command.ts'

/** `defaults`: values of flags that were not given. */
export function parseCommand(args: readonly string[], spec: CommandSpec, defaults: Values = {}): Arguments {
  const options = Object.fromEntries(
    Object.entries(optionsOf(spec)).map(([name, one]) => [
      name,
      {
        type: one.type === 'boolean' ? ('boolean' as const) : ('string' as const),
        ...(one.short === undefined ? {} : { short: one.short }),
        ...(one.multiple ? { multiple: true } : {}),
      },
    ]),
  )
  let parsed: { values: Values; positionals: string[] }
  try {
    parsed = parseArgs({ args: [...args], options, strict: true, allowPositionals: true })
  } catch (error) {
    throw wrongFlag(error as Error, spec)
  }
  checkCount(parsed.positionals, spec)
  const values: Values = { ...defaults, ...parsed.values }
  for (const [name, value] of Object.entries(values)) {
    const option = spec.options[name]
    if (option && value !== undefined) checkValue(`--${name}`, value, option)
  }
  return argumentsOf(values, parsed.positionals)
}

function argumentsOf(values: Values, files: readonly string[]): Arguments {
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined)
  return {
    files,
    flag: (name) => values[name] === true,
    text,
    number: (name) => (values[name] === undefined ? undefined : Number(values[name])),
    values: (name) => listed(values[name]).map(String),
    list: (name) =>
      listed(values[name])
        .flatMap((one) => String(one).split(','))
        .filter((one) => one !== ''),
    has: (name) => values[name] !== undefined,
  }
}

function listed(value: Values[string]): readonly (string | boolean)[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value]
}

function checkCount(files: readonly string[], { name, usage, maxFiles = Number.POSITIVE_INFINITY }: CommandSpec): void {
  if (files.length <= maxFiles) return
  const limit = maxFiles === 0 ? 'no argument' : `at most ${maxFiles} argument${maxFiles === 1 ? '' : 's'}`
  const got = files.map((file) => `"${file}"`).join(', ')
  throw new CommandError(`\`suture ${name}\` takes ${limit}, but got ${got}. Usage: ${usage.join(' · ')}`)
}

function wrongFlag(error: Error, spec: CommandSpec): CommandError {
  const { name } = spec
  const message = (error.message.split('. To specify')[0] ?? error.message).replace(/\.?$/, '.')
  const [, flag] = /Unknown option '--?([\w-]+)'/.exec(message) ?? []
  const near = flag === undefined || flag.length < 2 ? undefined : suggest(flag, Object.keys(optionsOf(spec)))
  const hint = near === undefined ? '' : ` Did you mean "--${near}"?`
  const step = `\`suture ${name} --help\` lists all options.`
  return new CommandError(`${flag === undefined ? message : `Unknown option "--${flag}".`}${hint} ${step}`)
}

/** `where`: the flag, the variable, or the key of a file that has the value. */
export function checkValue(where: string, value: NonNullable<Values[string]>, option: OptionSpec): void {
  for (const one of listed(value)) {
    if (option.type === 'number') checkNumber(where, String(one), option)
    const words = option.multiple ? String(one).split(',') : [String(one)]
    for (const word of option.choices ? words : []) checkChoice(where, word, option.choices!)
  }
}

function checkNumber(where: string, text: string, { max }: OptionSpec): void {
  if (/^\d+$/.test(text) && Number(text) <= (max ?? Number.MAX_SAFE_INTEGER)) return
  const kind = max === undefined ? 'a whole number' : `a whole number from 0 to ${max}`
  throw new CommandError(`${where} needs ${kind}, but got "${text}".`)
}

function checkChoice(where: string, word: string, choices: readonly string[]): void {
  if (choices.includes(word.split('=')[0]!)) return
  const file = choices.find((choice) => word.startsWith(`${choice}:`))
  const meant = file === undefined ? suggest(word, choices) : word.replace(':', '=')
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`
  throw new CommandError(`${where} must be one of ${choices.join(', ')}, but got "${word}".${hint}`)
}
