import { testRule } from '../testing/index.ts'
import { cacheControlTooMany } from './cache-control-too-many.ts'
import { cacheControlTtlOrder } from './cache-control-ttl-order.ts'

const marked = (text: string, ttl?: string) => ({
  type: 'text',
  text,
  cache_control: { type: 'ephemeral', ...(ttl === undefined ? {} : { ttl }) },
})
const turn = (...content: object[]) => ({ role: 'user', content })
const dialect = 'anthropic-messages'

testRule(cacheControlTtlOrder, {
  dialects: [dialect],
  valid: {
    'long before short': { before: [turn(marked('a', '1h'), marked('b', '5m'), marked('c'))], dialect },
    'long alone': { before: [turn(marked('a', '1h'), marked('b', '1h'))], dialect },
  },
  invalid: {
    'long after short: the later one is lowered': {
      before: [turn(marked('a')), turn(marked('b', '1h'))],
      dialect,
      finds: ['order 1'],
      after: [turn(marked('a')), turn(marked('b', '5m'))],
    },
    'over tools, system and messages': {
      before: [turn(marked('b', '1h'))],
      dialect,
      body: { tools: [{ name: 'x', cache_control: { type: 'ephemeral' } }], system: [marked('be short', '1h')] },
      finds: ['order 2'],
      after: [turn(marked('b', '5m'))],
      afterBody: { system: [marked('be short', '5m')] },
    },
  },
})

testRule(cacheControlTtlOrder, {
  constraints: { 'cache-control-too-many': { evidence: 'documented', max: 2 } },
  with: [cacheControlTooMany],
  dialects: [dialect],
  valid: {},
  invalid: {
    'a list that two rules change': {
      before: [turn(marked('b', '1h'))],
      dialect,
      body: { system: [marked('one'), marked('two', '1h')] },
      finds: ['order 2'],
      after: [turn(marked('b', '5m'))],
    },
  },
})
