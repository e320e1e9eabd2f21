import { testRule } from '../testing/index.ts'
import { cacheControlOnThinking } from './cache-control-on-thinking.ts'
import { cacheControlTooMany } from './cache-control-too-many.ts'

const mark = { cache_control: { type: 'ephemeral' } }
const text = (words: string) => ({ type: 'text', text: words })
const marked = (words: string) => ({ ...text(words), ...mark })
const turn = (...content: object[]) => ({ role: 'user', content })
const dialect = 'anthropic-messages'

testRule(cacheControlTooMany, {
  constraint: { max: 4 },
  dialects: [dialect],
  valid: {
    'four over the whole request': {
      before: [turn(marked('a'), marked('b'))],
      dialect,
      body: { system: [marked('be short')], tools: [{ name: 'weather', ...mark }] },
    },
  },
  invalid: {
    'five in messages: the earliest goes': {
      before: [turn(marked('a')), turn(marked('b')), turn(marked('c'), marked('d')), turn(marked('e'))],
      dialect,
      finds: ['many 5 4'],
      after: [turn(text('a')), turn(marked('b')), turn(marked('c'), marked('d')), turn(marked('e'))],
    },
    'system and tools keep their last': {
      before: [turn(marked('a')), turn(marked('b')), turn(marked('c'))],
      dialect,
      body: {
        system: [marked('one'), marked('two')],
        tools: [
          { name: 'x', ...mark },
          { name: 'y', ...mark },
        ],
      },
      finds: ['many 7 4'],
      after: [turn(text('a')), turn(marked('b')), turn(marked('c'))],
      afterBody: { system: [text('one'), marked('two')], tools: [{ name: 'x' }, { name: 'y', ...mark }] },
    },
    'one inside a result': {
      before: [
        turn({ type: 'tool_result', tool_use_id: 'x', content: [text('z'), marked('a')], ...mark }),
        turn(marked('c'), marked('d'), marked('e')),
      ],
      dialect,
      finds: ['many 5 4'],
      after: [
        turn({ type: 'tool_result', tool_use_id: 'x', content: [text('z'), marked('a')] }),
        turn(marked('c'), marked('d'), marked('e')),
      ],
    },
  },
})

testRule(cacheControlTooMany, {
  constraint: { max: 1 },
  constraints: { 'cache-control-on-thinking': { evidence: 'many-reports' } },
  with: [cacheControlOnThinking],
  dialects: [dialect],
  valid: {
    'one too many that goes by another rule': {
      before: [turn(marked('a'), { type: 'thinking', thinking: '', signature: 's', ...mark })],
      dialect,
    },
  },
  invalid: {
    'one that has moved': {
      before: [turn(text('a'), { type: 'thinking', thinking: '', signature: 's', ...mark }, marked('b'))],
      dialect,
      finds: ['many 2 1'],
      after: [turn(text('a'), { type: 'thinking', thinking: '', signature: 's' }, marked('b'))],
    },
  },
})
