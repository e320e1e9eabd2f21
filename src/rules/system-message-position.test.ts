import { testRule } from '../testing/index.ts'
import { firstNotUser } from './first-not-user.ts'
import { systemMessagePosition } from './system-message-position.ts'
import { textBlank } from './text-blank.ts'

testRule(systemMessagePosition, {
  dialects: ['anthropic-messages'],
  valid: {
    'after the user': `
      user: hi
      assistant: hello
      user: and?
      system: be short
      assistant: yes
      user: more`,
    'at the end': `
      user: hi
      assistant: hello
      user: and?
      system: be short`,
    'two after the user': `
      user: hi
      system: be short
      system: be kind`,
  },
  invalid: {
    'results under the role of the system, right after their call': {
      before: [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'run', input: {} }] },
        { role: 'system', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }] },
      ],
      dialect: 'anthropic-messages',
      finds: ['misplaced'],
      after: [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'run', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }] },
      ],
    },
    'between assistant and user': {
      before: `
        user: hi
        assistant: hello
        system: be short
        user: and?
        assistant: yes`,
      finds: ['misplaced'],
      after: `
        user: hi
        assistant: hello
        user: and?
        system: be short
        assistant: yes`,
    },
    'between call and result': {
      before: `
        user: weather?
        assistant: call a weather
        system: be short
        tool: result a sunny`,
      finds: ['misplaced'],
      after: `
        user: weather?
        assistant: call a weather
        tool: result a sunny
        system: be short`,
    },
    'two of them, and another after the user': {
      before: `
        user: hi
        assistant: hello
        system: one
        user: and?
        system: two
        user: more
        system: three`,
      finds: ['misplaced', 'misplaced'],
      after: `
        user: hi
        assistant: hello
        user: and?
        user: more
        system: one
        system: two
        system: three`,
    },
    'after the assistant, with no user to come': {
      before: `
        user: hi
        assistant: hello
        system: be short`,
      finds: ['misplaced'],
      after: `
        user: hi
        assistant: hello
        user: Continue.
        system: be short`,
    },
    'between two answers': {
      before: `
        user: hi
        assistant: hello
        system: be short
        assistant: yes
        user: and?`,
      finds: ['misplaced'],
      after: `
        user: hi
        assistant: hello
        user: Continue.
        system: be short
        assistant: yes
        user: and?`,
    },
    'before the first user': {
      before: `
        system: be short
        user: hi`,
      finds: ['misplaced'],
      after: `
        user: hi
        system: be short`,
    },
  },
})

testRule(systemMessagePosition, {
  constraints: { 'first-not-user': { evidence: 'many-reports' }, 'text-blank': { evidence: 'many-reports' } },
  with: [firstNotUser, textBlank],
  dialects: ['anthropic-messages'],
  valid: {},
  invalid: {
    'a history of system and assistant': {
      before: `
        system: one
        system: two
        assistant: hello
        user: hi`,
      finds: ['misplaced', 'misplaced'],
      after: `
        user: (The conversation begins here.)
        system: one
        system: two
        assistant: hello
        user: hi`,
    },
    'assistant and system, and no user at all': {
      before: `
        assistant: hello
        system: one`,
      finds: ['misplaced'],
      after: `
        user: (The conversation begins here.)
        assistant: hello
        user: Continue.
        system: one`,
    },
    'a system message that is itself repaired on the way': {
      before: `
        system: be short | blank
        user: hi`,
      finds: ['misplaced'],
      after: [
        { role: 'user', content: 'hi' },
        { role: 'system', content: [{ type: 'text', text: 'be short' }] },
      ],
    },
  },
})
