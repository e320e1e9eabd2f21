/**
 * `suture show`: a session as a tree of turns, rounds and calls, with findings and what the next request will contain.
 */
import { existsSync } from 'node:fs'
import { checkSessionFile, formatById, type SessionFile, verdictOf } from '../../session-files/index.ts'
import { unreadText } from '../../session-files/verdict.ts'
import { type Command, EXIT, flag } from '../command.ts'
import { plainFinding } from '../doctor/index.ts'
import { CONVERSATION_OPTIONS, conversationIn, oneFile, treeOf } from '../histories/index.ts'
import { findingLine } from '../reporters/readable.ts'
import { bytesText, oneLine, type Paint, paint, plural } from '../terminal/index.ts'
import { storedTree } from './sessions.ts'

export const show: Command = {
  spec: {
    name: 'show',
    summary: 'a session as a tree: turns, rounds, calls, tokens, findings, and what the next request contains.',
    usage: ['suture show FILE|ID [options]', 'suture show SESSION'],
    examples: [
      ['suture show session.jsonl', 'the last 20 turns'],
      ['suture show 7cba --all', 'all turns of the session whose id begins with this'],
      ['suture show my-chat', 'a session of the store: turns, earlier versions of messages, branches'],
      ['suture show session.jsonl --records', 'each record, and why it is not in the next request'],
    ],
    options: {
      all: flag('all turns (default: the last 20)', { short: 'a' }),
      ...CONVERSATION_OPTIONS,
      records: flag('records instead of turns, with why one is left out of the next request'),
      'no-text': flag('no text of the conversation'),
    },
  },
  async run(args, context) {
    const ink = paint(context.colors)
    const [name = '-'] = args.files
    const tree = args.files.length === 1 && name !== '-' && !existsSync(name) && (await storedTree(name, args, context))
    if (tree) {
      context.out(tree)
      return EXIT.ok
    }
    const { path, file } = await oneFile('show', args, context)
    context.out(headOf(path, file, ink).join('\n'))
    const findings = checkSessionFile(file, { provider: args.text('provider'), model: args.text('model') })
    const verdict = verdictOf(file, findings)
    const isUnread = verdict.notUnderstood.length > 0
    if (isUnread) context.out(ink.yellow(`Not understood: ${oneLine(unreadText(verdict), 1000)}`))
    if (file.conversations.length > 0 || args.has('conversation')) {
      const options = { all: args.flag('all'), records: args.flag('records'), text: !args.flag('no-text') }
      context.out(treeOf(file, conversationIn(file, args), findings, options, ink).join('\n'))
    }
    const loose = findings.filter((one) => one.conversation === undefined)
    for (const one of loose.slice(0, 50)) context.out(findingLine(plainFinding(one), ink))
    if (file.conversations.length > 1 && !args.has('conversation')) context.out(ink.dim(othersOf(file)))
    if (findings.some((one) => one.severity === 'error')) return EXIT.findings
    return isUnread ? EXIT.notUnderstood : EXIT.ok
  },
}

function headOf(path: string, file: SessionFile, ink: Paint): readonly string[] {
  const bytes = file.input.bytes.length
  const version = file.version ? ` ${oneLine(file.version, 40)}` : ''
  const size = bytes > 0 ? `, ${bytesText(bytes)}` : ''
  const counts = `${plural(file.records.length, 'record')}${size}, ${plural(file.conversations.length, 'conversation')}`
  const unknown = `Unknown to this version: ${oneLine(file.unknown.join(', '), 300)}. They are kept; writing needs --force.`
  return [
    ink.bold(oneLine(path, 500)),
    `${formatById(file.format).title}${version}, ${counts}`,
    ...(file.unknown.length > 0 ? [ink.yellow(unknown)] : []),
  ]
}

function othersOf(file: SessionFile): string {
  const ids = file.conversations.slice(1, 21).map((one) => oneLine(one.id, 40))
  return `Other conversations (--conversation ID): ${ids.join(', ')}${file.conversations.length > 21 ? ', …' : ''}`
}
