/**
 * Parses the arguments of a command by its description. A mistyped flag or value becomes a message with the probable one and the next step.
 */
import { parseArgs } from 'node:util'
import { suggest } from '../core/options.ts'
import { type Arguments, CommandError, type CommandSpec, EXIT, type OptionSpec } from './command.ts'

type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>

/** `defaults`: values from the configuration file, for flags that were not given. */
export function parseCommand(args: readonly string[], spec: CommandSpec, defaults: Values = {}): Arguments {
  const options = Object.fromEntries(
    Object.entries(spec.options).map(([name, one]) => [
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
  const values: Values = { ...defaults, ...parsed.values }
  for (const [name, value] of Object.entries(values)) checkValue(name, value, spec)
  return argumentsOf(values, parsed.positionals)
}

function argumentsOf(values: Values, files: readonly string[]): Arguments {
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined)
  return {
    files,
    flag: (name) => values[name] === true,
    text,
    number: (name) => (values[name] === undefined ? undefined : Number(values[name])),
    list: (name) => {
      const value = values[name]
      const list = Array.isArray(value) ? value : value === undefined ? [] : [value]
      return list.flatMap((one) => String(one).split(',')).filter((one) => one !== '')
    },
    has: (name) => values[name] !== undefined,
  }
}

function wrongFlag(error: Error, { name, options }: CommandSpec): CommandError {
  const said = (error.message.split('. To specify')[0] ?? error.message).replace(/\.?$/, '.')
  const [, flag] = /Unknown option '--?([\w-]+)'/.exec(said) ?? []
  const near = flag === undefined || flag.length < 2 ? undefined : suggest(flag, Object.keys(options))
  const hint = near === undefined ? '' : ` Did you mean "--${near}"?`
  const step = `\`suture ${name} --help\` lists all options.`
  return new CommandError(EXIT.usage, `${flag === undefined ? said : `Unknown option "--${flag}".`}${hint} ${step}`)
}

function checkValue(name: string, value: Values[string], spec: CommandSpec): void {
  const option: OptionSpec | undefined = spec.options[name]
  if (!option || value === undefined) return
  for (const one of Array.isArray(value) ? value : [value]) {
    if (option.type === 'number' && !/^\d+$/.test(String(one)))
      throw new CommandError(EXIT.usage, `--${name} needs a whole number, but got "${one}".`)
    if (!option.choices) continue
    for (const word of String(one).split(',')) {
      if (option.choices.includes(word.split('=')[0]!)) continue
      const near = suggest(word, option.choices)
      const file = option.choices.find((choice) => word.startsWith(`${choice}:`))
      const meant = file === undefined ? near : word.replace(':', '=')
      const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`
      throw new CommandError(
        EXIT.usage,
        `--${name} must be one of ${option.choices.join(', ')}, but got "${word}".${hint}`,
      )
    }
  }
}
