import { hash } from '../core/index.ts'
import { testRule } from '../testing/index.ts'
import { roleUnknown } from './role-unknown.ts'
import { toolResultMissing } from './tool-result-missing.ts'

const id = hash('function run')

testRule(roleUnknown, {
  constraint: { roles: ['user', 'assistant', 'model', 'tool'] },
  valid: {
    'a reference says no role': {
      before: [{ id: 'msg_1' }, { role: 'user', content: 'hello' }],
      dialect: 'openai-responses',
      constraint: { roles: ['user', 'assistant'], required: true },
    },
    'roles that are known': {
      before: `
        user: go
        assistant: call a run
        tool: result a ok`,
    },
    'a content without a role': { before: [{ parts: [{ text: 'hello' }] }], dialect: 'gemini' },
  },
  invalid: {
    'a system message without a body to lift it to': {
      before: `
        system: be brief
        user: hello`,
      dialects: ['openai-chat', 'anthropic-messages', 'bedrock-converse'],
      finds: ['role system'],
      after: `
        user: [system] be brief
        user: hello`,
    },
    'system messages at the head are lifted': {
      before: [
        { role: 'system', content: 'be brief' },
        { role: 'system', content: 'be kind' },
        { role: 'user', content: 'hello' },
        { role: 'system', content: 'be quick' },
      ],
      dialect: 'anthropic-messages',
      constraint: { lift: 'anthropic' },
      body: { system: 'be true' },
      finds: ['role system', 'role system', 'role system'],
      after: [
        { role: 'user', content: 'hello' },
        { role: 'user', content: '[system] be quick' },
      ],
      afterBody: { system: 'be true\n\nbe brief\n\nbe kind' },
    },
    'into the shape that is there': {
      before: [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: 'hello' },
      ],
      dialect: 'anthropic-messages',
      constraint: { lift: 'anthropic' },
      body: { system: [{ type: 'text', text: 'be true' }] },
      finds: ['role system'],
      after: [{ role: 'user', content: 'hello' }],
      afterBody: {
        system: [
          { type: 'text', text: 'be true' },
          { type: 'text', text: 'be brief' },
        ],
      },
    },
    'a developer where only system is known': {
      before: [
        { role: 'developer', content: 'be brief' },
        { role: 'user', content: 'hello' },
      ],
      dialect: 'openai-chat',
      constraint: { roles: ['system', 'user', 'assistant', 'tool'] },
      finds: ['role developer'],
      after: [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: 'hello' },
      ],
    },
    'a name of the assistant that others use': {
      before: [
        { role: 'user', parts: [{ text: 'hello' }] },
        { role: 'assistant', parts: [{ text: 'hi' }] },
      ],
      dialect: 'gemini',
      constraint: { roles: ['user', 'model'] },
      finds: ['role assistant'],
      after: [
        { role: 'user', parts: [{ text: 'hello' }] },
        { role: 'model', parts: [{ text: 'hi' }] },
      ],
    },
    'an unknown role': {
      before: [{ role: 'invalid_role', parts: [{ text: 'Say this is a test' }] }],
      dialect: 'gemini',
      constraint: { roles: ['user', 'model'] },
      finds: ['role invalid_role'],
      after: [{ role: 'user', parts: [{ text: '[invalid_role] Say this is a test' }] }],
    },
    'the legacy pair': {
      before: [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: null, function_call: { name: 'run', arguments: '{}' } },
        { role: 'function', name: 'run', content: 'ok' },
      ],
      dialect: 'openai-chat',
      constraint: { roles: ['system', 'user', 'assistant', 'tool'] },
      finds: ['legacy', 'legacy'],
      after: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id, type: 'function', function: { name: 'run', arguments: '{}' } }],
        },
        { role: 'tool', content: 'ok', tool_call_id: id },
      ],
    },
  },
})

testRule(roleUnknown, {
  with: [toolResultMissing],
  constraints: { 'tool-result-missing': { evidence: 'many-reports' } },
  dialects: ['openai-chat'],
  constraint: { roles: ['system', 'user', 'assistant', 'tool'] },
  valid: { 'a plain talk': 'user: hello' },
  invalid: {
    'a legacy call without a result': {
      before: [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: null, function_call: { name: 'run', arguments: '{}' } },
      ],
      dialect: 'openai-chat',
      finds: ['legacy'],
      after: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id, type: 'function', function: { name: 'run', arguments: '{}' } }],
        },
        {
          role: 'tool',
          tool_call_id: id,
          content:
            'No result of this tool call was recorded. Whether it ran and what came of it is unknown: check before you repeat it.',
        },
      ],
    },
  },
})
