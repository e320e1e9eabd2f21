/** A command: a description, from which its arguments are parsed and its help is printed, and one function. */
import type { HostEnvironment } from '../session-files/types.ts'

export interface OptionSpec {
  readonly type: 'boolean' | 'string' | 'number'
  readonly short?: string
  readonly multiple?: boolean
  /** The word for its value in the help: `FILE`. */
  readonly value?: string
  readonly choices?: readonly string[]
  /** The largest number. */
  readonly max?: number
  readonly help: string
}

export type Options = Readonly<Record<string, OptionSpec>>

export interface CommandSpec {
  readonly name: string
  readonly summary: string
  readonly usage: readonly string[]
  /** The number of files or names that it takes at most. Default: any number. */
  readonly maxFiles?: number
  readonly options: Options
  readonly examples: readonly (readonly [command: string, what: string])[]
  /** Paragraphs after the options. */
  readonly notes?: readonly string[]
}

export interface Arguments {
  readonly files: readonly string[]
  flag(name: string): boolean
  text(name: string): string | undefined
  number(name: string): number | undefined
  /** The values of a flag that may be repeated, as they were given. */
  values(name: string): readonly string[]
  /** The same, where one value may also be several words with commas. */
  list(name: string): readonly string[]
  has(name: string): boolean
}

/** The options of a command and `--help`, which every command has. */
export function optionsOf({ options }: CommandSpec): Options {
  return { ...options, help: { type: 'boolean', short: 'h', help: 'this text' } }
}

/** Values of flags, as the parser returns them. */
export type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>

export interface Command {
  readonly spec: CommandSpec
  /** The command waits with `untilStopped` and then ends. Default: a signal ends the process at once. */
  readonly endsItself?: true
  /** Values of flags that were not given. Default: those of `suture.config.json`. */
  defaults?(given: Arguments, context: Context): Values
  run(args: Arguments, context: Context): Promise<number>
}

/** The process around a command. */
export interface Context {
  readonly host: HostEnvironment
  readonly version: string
  /** The module that starts workers. */
  readonly entry: string
  readonly colors: boolean
  /** Standard error is a terminal: progress is shown there. */
  readonly interactive: boolean
  out(text: string): void
  /** The output of a filter: exactly these bytes; control characters are escaped if standard output is a terminal. */
  data(bytes: Uint8Array): void
  error(text: string): void
  /** All of standard input. Empty if it is a terminal. */
  stdin(): Promise<Uint8Array>
  readonly stdinIsTerminal: boolean
  /** Resolves with the signal when the process is asked to end. */
  untilStopped(): Promise<string>
}

export const EXIT = { ok: 0, findings: 1, usage: 2, busy: 3, notUnderstood: 4 } as const

/** Ends a command with a message of one line. */
export class CommandError extends Error {
  readonly exit: number
  /** Lines below the message: a list of what may have been meant. */
  readonly lines: readonly string[]

  constructor(message: string, { exit = EXIT.usage as number, lines = [] as readonly string[] } = {}) {
    super(message)
    this.exit = exit
    this.lines = lines
  }
}
