import { testRule } from '../testing/index.ts'
import { thoughtSignatureMissing } from './thought-signature-missing.ts'

const signature = {
  keys: { functionCall: 'thoughtSignature', function_call: 'thought_signature' },
  sentinel: 'skip_thought_signature_validator',
}
const SKIP = 'skip_thought_signature_validator'
const user = (text: string) => ({ role: 'user', parts: [{ text }] })
const call = (name: string, thoughtSignature?: string) => ({
  functionCall: { name, args: {} },
  ...(thoughtSignature === undefined ? {} : { thoughtSignature }),
})
const model = (...parts: object[]) => ({ role: 'model', parts })
const answer = (...names: string[]) => ({
  role: 'user',
  parts: names.map((name) => ({ functionResponse: { name, response: { output: 'ok' } } })),
})
const dialect = 'gemini'

testRule(thoughtSignatureMissing, {
  constraint: signature,
  dialects: [dialect],
  valid: {
    'the first of parallel calls is signed': {
      before: [user('go'), model(call('a', 's'), call('b')), answer('a', 'b')],
      dialect,
    },
    'the signature sits on the thought before the call': {
      before: [user('go'), model({ text: 'hm', thought: true, thoughtSignature: 's' }, call('a')), answer('a')],
      dialect,
    },
    'an earlier turn, where only the active loop is checked': {
      before: [user('go'), model(call('a')), answer('a'), model({ text: 'done' }), user('more')],
      dialect,
      constraint: { loop: true },
    },
  },
  invalid: {
    'a parallel step stored as two messages, signed once: joined': {
      before: [user('go'), model(call('a', 's')), model(call('b')), answer('a', 'b')],
      dialect,
      finds: ['split b'],
      after: [user('go'), model(call('a', 's'), call('b')), answer('a', 'b')],
    },
    'a lost signature: the call stays a call': {
      before: [user('go'), model(call('a'), call('b')), answer('a', 'b'), model(call('c')), answer('c')],
      dialect,
      finds: ['missing a', 'missing c'],
      after: [user('go'), model(call('a', SKIP), call('b')), answer('a', 'b'), model(call('c', SKIP)), answer('c')],
    },
    'an empty one': {
      before: [user('go'), model(call('a', '')), answer('a')],
      dialect,
      finds: ['missing a'],
      after: [user('go'), model(call('a', SKIP)), answer('a')],
    },
    'snake case': {
      before: [user('go'), model({ function_call: { name: 'a', args: {} } }), answer('a')],
      dialect,
      finds: ['missing a'],
      after: [user('go'), model({ function_call: { name: 'a', args: {} }, thought_signature: SKIP }), answer('a')],
    },
    'after the last prompt, where only the active loop is checked': {
      before: [
        user('go'),
        model(call('a')),
        answer('a'),
        model({ text: 'done' }),
        user('more'),
        model(call('b')),
        answer('b'),
      ],
      dialect,
      constraint: { loop: true },
      finds: ['missing b'],
      after: [
        user('go'),
        model(call('a')),
        answer('a'),
        model({ text: 'done' }),
        user('more'),
        model(call('b', SKIP)),
        answer('b'),
      ],
    },
    'a rejection: everywhere': {
      before: [user('go'), model(call('a')), answer('a'), model({ text: 'done' }), user('more')],
      dialect,
      constraint: { loop: true },
      options: { rejectedBy: ['thought-signature-missing'] },
      finds: ['missing a'],
      after: [user('go'), model(call('a', SKIP)), answer('a'), model({ text: 'done' }), user('more')],
    },
  },
})
