/** `suture compact`: a shorter history that is still valid, made without a model. The file itself is not changed. */
import { type CompactOptions, compact as compactHistory } from '../../compact.ts'
import { named } from '../../target.ts'
import { type Command, EXIT } from '../command.ts'
import { OUTPUT_OPTIONS, oneConversation, targetOf, writeJson } from '../histories/index.ts'
import { oneLine, plural } from '../terminal/index.ts'

export const compact: Command = {
  spec: {
    name: 'compact',
    summary: 'a shorter history that is still valid, made without a model; the file itself is not changed.',
    usage: ['suture compact FILE [--limit TOKENS] [options]'],
    examples: [
      ['suture compact session.jsonl --limit 60000', 'at most about 60,000 tokens'],
      ['suture compact session.jsonl --dry-run', 'what would be done, and why'],
    ],
    options: {
      limit: {
        type: 'number',
        short: 'l',
        value: 'TOKENS',
        help: 'tokens that the history may have (default: the context window of the model)',
      },
      force: { type: 'boolean', help: 'compact even if it is not due' },
      'dry-run': { type: 'boolean', short: 'n', help: 'print what would be done and write nothing' },
      ...OUTPUT_OPTIONS,
    },
    notes: [
      'The output is a list of messages in the dialect of the file. What was removed is described by a digest in their place.',
    ],
  },
  async run(args, context) {
    const one = await oneConversation('compact', args, context)
    const { history } = one
    const limit = args.number('limit')
    const { history: shorter, plan } = compactHistory(
      [...history],
      named<CompactOptions>({
        ...targetOf(one, args),
        budget: limit === undefined ? undefined : { limit },
        force: args.flag('force'),
      }),
    )
    for (const { message } of plan.why) context.error(oneLine(message, 400))
    context.error(`${plural(history.length, 'message')} before, ${plural(shorter.length, 'message')} after.`)
    if (!args.flag('dry-run')) writeJson(shorter, args, context)
    return EXIT.ok
  },
}
