/** `suture export`: the history of a session as a list of messages, in its own dialect or converted into another. */
import { unknownName } from '../../core/options.ts'
import { type DialectId, detect, dialects, providers, type RepairOptions, repair } from '../../index.ts'
import { named } from '../../target.ts'
import { type Command, CommandError, EXIT } from '../command.ts'
import { OUTPUT_OPTIONS, oneConversation, targetOf, writeJson } from '../histories/index.ts'
import { oneLine, plural } from '../terminal/index.ts'

export const exportCommand: Command = {
  spec: {
    name: 'export',
    summary: 'the history of a session as JSON, as it would be sent, or converted for another provider.',
    usage: ['suture export FILE [--to DIALECT] [options]'],
    examples: [
      ['suture export session.jsonl', 'as it will be sent next'],
      ['suture export session.jsonl --to openai-chat -o chat.json', 'for another provider; prints what is lost'],
    ],
    options: {
      to: {
        type: 'string',
        short: 't',
        value: 'DIALECT',
        help: 'the dialect of the output (default: that of the file)',
      },
      raw: { type: 'boolean', help: 'as it is, without a repair' },
      ...OUTPUT_OPTIONS,
    },
  },
  async run(args, context) {
    const one = await oneConversation('export', args, context)
    const to = args.text('to') ?? one.dialect
    const known = dialects.map(({ id }) => id)
    if (!known.includes(to as DialectId)) throw new CommandError(unknownName('dialect', to, known).message)
    if (args.flag('raw') && to === one.dialect) {
      writeJson(one.history, args, context)
      return EXIT.ok
    }
    const isOther = to !== one.dialect
    const receiver = isOther ? { ...one, dialect: to, provider: makerOf(to), model: undefined } : one
    const target = named<RepairOptions>(targetOf(receiver, args))
    const { value, findings, remaining } = converted(one.history, target, isOther)
    writeJson(value, args, context)
    for (const { rule, message } of findings) context.error(`changed: ${oneLine(message, 300)} (${rule})`)
    const errors = remaining.filter((left) => left.severity === 'error')
    for (const { rule, message } of errors) context.error(`left: ${oneLine(message, 300)} (${rule})`)
    context.error(
      `${plural(one.history.length, 'message')} of ${one.dialect} as ${plural(value.length, 'message')} of ${to}.`,
    )
    return errors.length > 0 ? EXIT.findings : EXIT.ok
  },
}

function makerOf(dialect: string): string {
  return providers.find(({ serves }) => serves.some((one) => one.dialect.id === dialect))!.id
}

/** Repairs, and converts if the dialect is another. A history that could not be converted is an error. */
function converted(history: readonly unknown[], target: RepairOptions, isOther: boolean) {
  try {
    const result = repair(history, isOther ? { ...target, convert: true } : target)
    if (!isOther || result.value.length === 0 || detect(result.value) === target.dialect) return result
  } catch (error) {
    if (!isOther || !/convert/.test((error as Error).message)) throw error
  }
  throw new CommandError(
    `This version cannot convert a whole history into ${target.dialect}. Without --to the history is exported in its own dialect.`,
  )
}
