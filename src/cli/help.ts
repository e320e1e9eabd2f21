/** The help of the command line and of each command. */
import { type CommandSpec, type OptionSpec, optionsOf } from './command.ts'

const GROUPS: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    'Session files of agents (Claude Code, Codex, Copilot CLI, …) and histories as JSON or JSONL',
    [
      ['suture', 'checks all sessions on this machine; reads only'],
      ['suture doctor [ID|FILE]', 'the same for one session: by id, path, --last, or an error text on stdin'],
      ['suture lint FILES…', 'what a provider would reject, what the agent will not load; for CI'],
      ['suture repair FILES…', 'shows the repair as a diff; --write --plan ID makes it'],
      ['suture undo FILE', 'brings the exact bytes back'],
      ['suture show FILE', 'turns, rounds, calls, findings, what the next request contains'],
      ['suture explain TEXT|RULE', 'what an error text or a rule means'],
      ['suture split FILE', 'the last turns as a history of their own'],
      ['suture compact FILE', 'a shorter history, without a model'],
      ['suture export FILE --to DIALECT', 'the history in the format of another provider'],
      ['suture view FILE', 'opens the viewer'],
    ],
  ],
  [
    'Gateway, store, agents and tests',
    [
      ['suture serve', 'an HTTP gateway: point the base URL of any client at it'],
      ['suture key NAME', 'makes a key of the gateway, and the hash that configures it'],
      ['suture sessions …', 'stored sessions: list, show, pages, revert, fork, export, undo, verify'],
      ['suture contract', 'a strict emulator of the providers, offline'],
      ['suture mcp', 'an MCP server: an agent checks, explains and repairs its own sessions'],
      ['suture completion SHELL', 'completion for bash, zsh or fish'],
    ],
  ],
]

const EXITS = `Exit codes: 0 valid or all repaired · 1 findings left · 2 wrong use or unreadable · 3 file live or changed · 4 not understood · 130 interrupted · 143 terminated.
The commands for files use no network and send no telemetry.`

export function overview(): string {
  const rows = GROUPS.flatMap(([, commands]) => commands)
  const width = Math.max(...rows.map(([left]) => left.length)) + 2
  const groups = GROUPS.map(
    ([title, commands]) =>
      `${title}:\n${commands.map(([left, right]) => `  ${left.padEnd(width)}${right}`).join('\n')}`,
  )
  return `suture: finds, explains and repairs broken conversation histories.

${groups.join('\n\n')}

\`suture COMMAND --help\` has options and examples. \`suture --version\` prints the version.

${EXITS}`
}

/** Help of one command: what it does, how it is called, examples, options, exit codes. */
export function commandHelp(spec: CommandSpec): string {
  const { name, summary, usage, examples, notes = [] } = spec
  const rows = Object.entries(optionsOf(spec)).map(([flag, option]) => [flagText(flag, option), option.help] as const)
  const width = Math.min(32, Math.max(0, ...rows.map(([left]) => left.length)) + 2)
  const lines = rows.map(([left, right]) =>
    left.length + 2 > width ? `  ${left}\n  ${' '.repeat(width)}${right}` : `  ${left.padEnd(width)}${right}`,
  )
  const wide = Math.max(0, ...examples.map(([command]) => command.length)) + 3
  return [
    `suture ${name}: ${summary}`,
    `Usage:\n${usage.map((line) => `  ${line}`).join('\n')}`,
    `Examples:\n${examples.map(([command, what]) => `  ${command.padEnd(wide)}${what}`).join('\n')}`,
    `Options:\n${lines.join('\n')}`,
    ...notes,
    EXITS,
  ].join('\n\n')
}

function flagText(flag: string, { short, value, choices, type }: OptionSpec): string {
  const word = type === 'boolean' ? '' : ` ${value ?? (choices ? choices.join('|') : type === 'number' ? 'N' : 'TEXT')}`
  return `${short === undefined ? '    ' : `-${short}, `}--${flag}${word}`
}
