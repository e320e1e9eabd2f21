import { type Bound, defineRule, type Explanation } from '../core/index.ts'
import { moveText, needsContent, speaksOtherwise } from './lib/content.ts'

export interface ContentNull {
  /** Also the null of a message that calls, the usual way to say nothing beside a call. */
  readonly calls?: boolean
}

const ALL = ['system', 'user', 'assistant', 'tool']

export const contentNull = defineRule({
  id: 'content-null',
  phase: 'shape',
  about: () => ({ messages: ['null-content'] }),
  repair: 'safe',
  messages: { null: 'The content of message {index} is null; {rejects} that. {Repair} writes an empty string.' },
  check(t, { calls, rejected }: Bound<ContentNull>, report) {
    const key = t.contentKey
    for (let i = 0; i < t.history.length; i++) {
      if (t.contents[i] !== null || !needsContent(t, i, ALL)) continue
      if (calls !== true && !rejected && speaksOtherwise(t, i)) continue
      report('null', [i, key], {}, moveText(t, i) ?? [{ do: 'set', message: i, key, value: '' }])
    }
  },
})

export const explanation: Explanation = {
  summary: 'Content is not null, except beside tool calls if the provider allows it.',
  why: 'Null in place of a text makes the request invalid.',
  repair: 'Repair writes an empty text.',
}
