import { testRule } from '../testing/index.ts'
import { toolsTooMany } from './tools-too-many.ts'

const tools = (count: number) => ({
  tools: Array.from({ length: count }, (_, i) => ({ type: 'function', function: { name: `t${i}` } })),
})

testRule(toolsTooMany, {
  constraint: { max: 2 },
  dialects: ['openai-chat'],
  valid: {
    'as many as may be': { before: 'user: hello', body: tools(2) },
    'no body': 'user: hello',
  },
  invalid: { 'one more': { before: 'user: hello', body: tools(3), finds: ['many 3 2'] } },
})
