/** The one file and conversation that show, split, compact and export work on, and where their output goes. */
import { existsSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { readSessionFile } from '../../session-files/node/read.ts'
import type { Conversation, SessionFile } from '../../session-files/types.ts'
import { type Arguments, CommandError, type Context, type Options } from '../command.ts'
import { TARGET_OPTIONS } from '../doctor/index.ts'
import { filesOf, opened } from '../inputs.ts'
import { indented } from '../json-output.ts'
import { oneLine } from '../terminal/index.ts'

export const CONVERSATION_OPTIONS: Options = {
  conversation: {
    type: 'string',
    short: 'c',
    value: 'ID',
    help: 'id of another conversation in the file (default: the main one)',
  },
  ...TARGET_OPTIONS,
}

export const OUTPUT_OPTIONS: Options = {
  ...CONVERSATION_OPTIONS,
  out: { type: 'string', short: 'o', value: 'FILE', help: 'write the JSON there (default: standard output)' },
}

/** The one file that is named; "-" is standard input. */
export async function oneFile(
  name: string,
  args: Arguments,
  context: Context,
): Promise<{ readonly path: string; readonly file: SessionFile }> {
  const isInput = args.files.length === 1 && args.files[0] === '-'
  const paths = isInput ? [] : await filesOf(args.files, context)
  if (!isInput && paths.length !== 1) throw new CommandError(`Name one file: \`suture ${name} session.jsonl\`.`)
  const input = isInput ? { bytes: await context.stdin() } : (await readSessionFile(paths[0]!)).input
  const path = paths[0] ?? '<stdin>'
  return { path, file: opened(path, input, args, context) }
}

export function conversationIn({ conversations }: SessionFile, args: Arguments): Conversation {
  const wanted = args.text('conversation')
  const found = wanted === undefined ? conversations[0] : conversations.find((one) => one.id === wanted)
  if (found) return found
  const known = conversations.slice(0, 20).map((one) => oneLine(one.id, 60))
  throw new CommandError(
    wanted === undefined
      ? 'The file holds no conversation.'
      : `There is no conversation "${oneLine(wanted, 80)}". There are ${known.join(', ')}.`,
  )
}

export async function oneConversation(name: string, args: Arguments, context: Context): Promise<Conversation> {
  return conversationIn((await oneFile(name, args, context)).file, args)
}

/** Who gets a conversation: by the flags, else what the file names. */
export function targetOf({ provider, dialect, model }: Conversation, args: Arguments) {
  return { provider: args.text('provider') ?? provider, dialect, model: args.text('model') ?? model }
}

/** Never over an existing file. */
export function writeJson(value: unknown, args: Arguments, context: Context): void {
  const text = `${indented(value)}\n`
  const out = args.text('out')
  if (out === undefined || out === '-') {
    context.data(Buffer.from(text))
    return
  }
  const target = resolve(context.host.cwd, out)
  if (existsSync(target)) throw new CommandError(`${target} exists. Choose another name for --out.`)
  writeFileSync(target, text, { flag: 'wx', mode: 0o600 })
  context.error(`Wrote ${oneLine(target, 500)}.`)
}
