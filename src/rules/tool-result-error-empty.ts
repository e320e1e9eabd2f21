import { defineRule, type Explanation } from '../core/index.ts'

export const explanation: Explanation = {
  says: 'A result that says it failed says something.',
  why: 'A failed result without content is refused.',
  refusals: [/toolResult cannot be empty when status value is error/i],
}

const SAYS = 'The tool failed and gave no message.'

/** Law: no facts. */
export const toolResultErrorEmpty = defineRule({
  id: 'tool-result-error-empty',
  repair: 'safe',
  quiet: ({ refused }) => (refused ? undefined : { result: (_id, _body, failed) => !failed }),
  messages: { empty: 'The failed result of call {call} is empty.' },
  checks: {
    result(part, bound, walk) {
      if (!part.failed || part.server) return
      const { text, media } = walk.dialect.content(part)
      if (text !== '' || media.length > 0) return
      walk.report(bound, 'empty', part, { call: part.id ?? '(no id)' }, [
        { do: 'write', part, change: { result: SAYS } },
      ])
    },
  },
})
