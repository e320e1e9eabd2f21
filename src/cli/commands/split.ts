/** `suture split`: the last turns of a conversation as a history of their own, never cut inside a pair. */
import { type RepairOptions, repair, type SplitOptions, split as splitHistory } from '../../index.ts'
import { named } from '../../target.ts'
import { type Command, EXIT } from '../command.ts'
import { OUTPUT_OPTIONS, oneConversation, targetOf, writeJson } from '../histories/index.ts'
import { plural } from '../terminal/index.ts'

export const split: Command = {
  spec: {
    name: 'split',
    summary: 'the last turns of a conversation as a history of their own; a pair of call and result is never cut.',
    usage: ['suture split FILE [--min-keep N] [--head] [options]'],
    examples: [
      ['suture split session.jsonl --min-keep 40', 'at least the last 40 messages, from a turn on'],
      ['suture split session.jsonl --min-keep 40 --head', 'what comes before them'],
    ],
    options: {
      'min-keep': { type: 'number', short: 'k', value: 'N', help: 'keep at least N messages (default 50)' },
      head: { type: 'boolean', help: 'the part before the cut instead' },
      ...OUTPUT_OPTIONS,
    },
    notes: ['The output is a list of messages in the dialect of the file, ready to send.'],
  },
  async run(args, context) {
    const one = await oneConversation('split', args, context)
    const cut = splitHistory(
      one.history,
      named<SplitOptions>({ dialect: one.dialect, minKeep: args.number('min-keep') ?? 50 }),
    )
    const part = args.flag('head') ? cut.head : [...cut.preamble, ...cut.tail]
    const { value } = repair(part, named<RepairOptions>(targetOf(one, args)))
    writeJson(value, args, context)
    context.error(
      `Cut before message ${cut.at}: ${plural(cut.head.length, 'message')} before, ${plural(cut.tail.length, 'message')} after.`,
    )
    return EXIT.ok
  },
}
