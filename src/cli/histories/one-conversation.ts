/**
 * The one conversation of a file that split, compact and export work on, and where their output goes.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { openSessionFile } from '../../session-files/index.ts'
import { readSessionFile } from '../../session-files/node/read.ts'
import type { Conversation } from '../../session-files/types.ts'
import { type Arguments, CommandError, type Context, EXIT, type OptionSpec } from '../command.ts'
import { filesOf } from '../inputs.ts'
import { indented } from '../json-output.ts'
import { oneLine } from '../terminal/index.ts'

export const CONVERSATION_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  conversation: {
    type: 'string',
    short: 'c',
    value: 'ID',
    help: 'id of another conversation in the file (default: the main one)',
  },
  as: { type: 'string', value: 'FORMAT', help: 'read the file as this format' },
  provider: {
    type: 'string',
    short: 'p',
    value: 'ID',
    help: 'provider that will get it (default: the one of the file)',
  },
  model: { type: 'string', short: 'm', value: 'ID', help: 'model that will get it' },
  out: { type: 'string', short: 'o', value: 'FILE', help: 'write the JSON there (default: standard output)' },
  help: { type: 'boolean', short: 'h', help: 'this text' },
}

export async function oneConversation(name: string, args: Arguments, context: Context): Promise<Conversation> {
  const isInput = args.files.length === 1 && args.files[0] === '-'
  const paths = isInput ? [] : await filesOf(args.files, context)
  if (!isInput && paths.length !== 1)
    throw new CommandError(EXIT.usage, `Name one file: \`suture ${name} session.jsonl\`.`)
  const input = isInput ? { bytes: await context.stdin() } : (await readSessionFile(paths[0]!)).input
  const format = args.text('as')
  const { conversations } = openSessionFile(input, format === undefined ? {} : { format })
  const wanted = args.text('conversation')
  const found = wanted === undefined ? conversations[0] : conversations.find((one) => one.id === wanted)
  if (found) return found
  const known = conversations.slice(0, 20).map((one) => oneLine(one.id, 60))
  throw new CommandError(
    EXIT.usage,
    wanted === undefined
      ? 'The file holds no conversation.'
      : `There is no conversation "${oneLine(wanted, 80)}". There are ${known.join(', ')}.`,
  )
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
  if (existsSync(target)) throw new CommandError(EXIT.usage, `${target} exists. Choose another name for --out.`)
  writeFileSync(target, text, { flag: 'wx', mode: 0o600 })
  context.error(`Wrote ${oneLine(target, 500)}.`)
}
