import { testRule } from '../testing/index.ts'
import { cacheControlOnEmptyText } from './cache-control-on-empty-text.ts'
import { textBlank } from './text-blank.ts'

const mark = { cache_control: { type: 'ephemeral' } }
const text = (words: string) => ({ type: 'text', text: words })
const message = (...content: object[]) => [{ role: 'user', content }]
const dialect = 'anthropic-messages'

testRule(cacheControlOnEmptyText, {
  dialects: [dialect],
  valid: {
    'a mark on words': { before: message({ ...text('hi'), ...mark }), dialect },
    'an empty text without one': { before: message(text('')), dialect },
  },
  invalid: {
    'a mark on an empty text': {
      before: message(text('hi'), { ...text(''), ...mark }),
      dialect,
      finds: ['wrong'],
      after: message({ ...text('hi'), ...mark }, text('')),
    },
    'a result may carry it': {
      before: message({ type: 'tool_result', tool_use_id: 'a', content: 'ok' }, { ...text(''), ...mark }),
      dialect,
      finds: ['wrong'],
      after: message({ type: 'tool_result', tool_use_id: 'a', content: 'ok', ...mark }, text('')),
    },
  },
})

testRule(cacheControlOnEmptyText, {
  constraints: { 'text-blank': { evidence: 'many-reports' } },
  with: [textBlank],
  dialects: [dialect],
  valid: {},
  invalid: {
    'the block goes, its mark does not': {
      constraint: { blank: true },
      before: message(text('hi'), { ...text('\n'), ...mark }),
      dialect,
      finds: ['wrong'],
      after: message({ ...text('hi'), ...mark }),
    },
  },
})
