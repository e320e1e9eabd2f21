import { testRule } from '../testing/index.ts'
import { cacheControlOnThinking } from './cache-control-on-thinking.ts'

const mark = { cache_control: { type: 'ephemeral' } }
const text = (words: string) => ({ type: 'text', text: words })
const thinking = { type: 'thinking', thinking: 'hm', signature: 's' }
const message = (...content: object[]) => [{ role: 'assistant', content }]
const dialect = 'anthropic-messages'

testRule(cacheControlOnThinking, {
  dialects: [dialect],
  valid: {
    'a mark on the text': { before: message(thinking, { ...text('hi'), ...mark }), dialect },
  },
  invalid: {
    'moved back to what may carry it': {
      before: message(text('one'), text('two'), { ...thinking, ...mark }),
      dialect,
      finds: ['wrong'],
      after: message(text('one'), { ...text('two'), ...mark }, thinking),
    },
    'else forward': {
      before: message({ ...thinking, ...mark }, text(' '), text('two')),
      dialect,
      finds: ['wrong'],
      after: message(thinking, text(' '), { ...text('two'), ...mark }),
    },
    'gone where the next has its own': {
      before: message({ ...text('one'), ...mark }, { ...thinking, ...mark }, { ...thinking, ...mark }),
      dialect,
      finds: ['wrong', 'wrong'],
      after: message({ ...text('one'), ...mark }, thinking, thinking),
    },
    'gone where nothing may carry it': {
      before: message({ type: 'redacted_thinking', data: 'x', ...mark }),
      dialect,
      finds: ['wrong'],
      after: message({ type: 'redacted_thinking', data: 'x' }),
    },
  },
})
