/** `suture completion`: a script for bash, zsh or fish that completes commands, flags and files. */
import { type Command, CommandError, EXIT, optionsOf } from '../command.ts'
import { commandNames, loaders } from '../commands.ts'

export const completion: Command = {
  spec: {
    name: 'completion',
    summary: 'a completion script for bash, zsh or fish.',
    usage: ['suture completion bash|zsh|fish'],
    maxFiles: 1,
    examples: [
      ['suture completion bash >> ~/.bashrc', 'bash'],
      ['suture completion zsh > ~/.zfunc/_suture', 'zsh, in a folder of $fpath'],
      ['suture completion fish > ~/.config/fish/completions/suture.fish', 'fish'],
    ],
    options: {},
  },
  async run(args, context) {
    const [shell] = args.files
    const make = shell !== undefined && Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
    if (!make)
      throw new CommandError(
        `Name a shell: \`suture completion bash\`, zsh or fish${shell === undefined ? '' : `, but got "${shell}"`}.`,
      )
    context.out(make(await flagsByCommand()))
    return EXIT.ok
  },
}

type Flags = readonly (readonly [name: string, summary: string, flags: readonly string[]])[]

async function flagsByCommand(): Promise<Flags> {
  const commands: readonly Command[] = await Promise.all(commandNames.map((name) => loaders[name]()))
  return commands.map(({ spec }) => [spec.name, spec.summary.split(/[;:.]/)[0]!, Object.keys(optionsOf(spec))])
}

const scripts: Readonly<Record<string, (flags: Flags) => string>> = {
  bash: (rows) => `_suture() {
  local word="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}" flags=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${rows.map(([name]) => name).join(' ')}" -- "$word") $(compgen -f -- "$word"))
    return
  fi
  case "$command" in
${rows.map(([name, , flags]) => `    ${name}) flags="${flags.map((flag) => `--${flag}`).join(' ')}" ;;`).join('\n')}
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _suture suture`,
  zsh: (rows) => `#compdef suture
_suture() {
  if (( CURRENT == 2 )); then
    local -a commands=(${rows.map(([name, summary]) => `'${name}:${summary.replaceAll("'", '')}'`).join(' ')})
    _describe command commands
    _files
    return
  fi
  case "$words[2]" in
${rows.map(([name, , flags]) => `    ${name}) _arguments ${flags.map((flag) => `'--${flag}'`).join(' ')} '*:file:_files' ;;`).join('\n')}
  esac
}
compdef _suture suture`,
  fish: (rows) =>
    rows
      .flatMap(([name, summary, flags]) => [
        `complete -c suture -n __fish_use_subcommand -a ${name} -d '${summary.replaceAll("'", '')}'`,
        ...flags.map((flag) => `complete -c suture -n '__fish_seen_subcommand_from ${name}' -l ${flag}`),
      ])
      .join('\n'),
}
