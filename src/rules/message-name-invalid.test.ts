import { testRule } from '../testing/index.ts'
import { messageNameInvalid } from './message-name-invalid.ts'

const hello = (name?: string) => [{ role: 'user', content: 'hello', ...(name === undefined ? {} : { name }) }]

testRule(messageNameInvalid, {
  dialects: ['openai-chat'],
  constraint: { pattern: /^[^\s<|\\/>]+$/ },
  valid: {
    'a name': { before: hello('Jörg-2'), dialect: 'openai-chat' },
    'no name': { before: hello(), dialect: 'openai-chat' },
    'a name that is null': { before: [{ role: 'user', content: 'hello', name: null }], dialect: 'openai-chat' },
  },
  invalid: {
    'a blank in a name': {
      before: hello('Anna Maria'),
      dialect: 'openai-chat',
      finds: ['name Anna Maria'],
      after: hello('Anna_Maria'),
    },
    'a name of which nothing is left': {
      before: hello('< >'),
      dialect: 'openai-chat',
      finds: ['name < >'],
      after: hello(),
    },
  },
})
