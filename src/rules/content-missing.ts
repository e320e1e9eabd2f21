import { type Bound, defineRule, type Explanation, isObject, own } from '../core/index.ts'
import { moveText, needsContent, speaksOtherwise } from './lib/content.ts'

export interface ContentMissing {
  /** Roles that must have content. Default: all. */
  readonly roles?: readonly string[]
  /** `false`: a message that calls or rejects may leave it out. */
  readonly calls?: boolean
  /** Keys with which a message needs no content. */
  readonly instead?: readonly string[]
}

const ALL = ['system', 'user', 'assistant', 'tool']

export const contentMissing = defineRule({
  id: 'content-missing',
  phase: 'shape',
  about: () => ({ messages: ['no-content'] }),
  repair: 'safe',
  messages: {
    missing:
      'Message {index} has no content field; {rejects} that. {Repair} adds one, with the text if it is stored under another key.',
  },
  check(t, { roles = ALL, calls, instead = [], rejected }: Bound<ContentMissing>, report) {
    const key = t.contentKey
    for (let i = 0; i < t.history.length; i++) {
      if (t.contents[i] !== undefined || !needsContent(t, i, rejected ? ALL : roles)) continue
      if (!rejected && instead.some((one) => isObject(own(t.history[i], one)))) continue
      if (calls === false && !rejected && speaksOtherwise(t, i)) continue
      report('missing', [i], {}, moveText(t, i) ?? [{ do: 'set', message: i, key, value: '' }])
    }
  },
})

export const explanation: Explanation = {
  summary: 'A message has the field `content`, even if it is empty.',
  why: 'Some schemas require the field and reject a message that has only tool calls.',
  repair: 'Repair adds an empty text.',
}
