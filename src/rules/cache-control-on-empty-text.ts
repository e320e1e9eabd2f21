import { type Bound, defineRule, type Explanation } from '../core/index.ts'
import { aboutCacheMarks, movedMarks } from './lib/cache-marks.ts'

export interface CacheControlOnEmptyText {
  /** A text of nothing but whitespace counts as empty. */
  readonly blank?: boolean
}

export const cacheControlOnEmptyText = defineRule({
  id: 'cache-control-on-empty-text',
  phase: 'shape',
  repair: 'safe',
  about: aboutCacheMarks,
  neutral: true,
  messages: { wrong: 'An empty text in message {index} has a cache mark; {rejects} that. {Repair} removes the mark.' },
  check(t, { blank }: Bound<CacheControlOnEmptyText>, report) {
    const isEmpty = (text: unknown) => text === '' || (blank === true && typeof text === 'string' && text.trim() === '')
    for (const { part, fix } of movedMarks(t, ({ kind, body }) => kind === 'text' && isEmpty(body)))
      report('wrong', part, {}, fix)
  },
})

export const explanation: Explanation = {
  summary: 'No `cache_control` mark is on an empty text block.',
  why: 'Clients put the mark on the last block; the request is rejected if that block is empty.',
  repair: 'Repair moves the mark to the nearest block that may carry it.',
}
