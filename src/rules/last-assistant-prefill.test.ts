import { testRule } from '../testing/index.ts'
import { lastAssistantPrefill } from './last-assistant-prefill.ts'
import { toolResultMissing } from './tool-result-missing.ts'

const lost =
  'No result of this tool call was recorded. Whether it ran and what came of it is unknown: check before you repeat it.'

testRule(lastAssistantPrefill, {
  valid: {
    'the user last': `
      assistant: hello
      user: hi`,
    'an answer that is not sent yet': {
      before: `
        user: hi
        assistant: hello`,
      options: { inProgress: true },
    },
    'a result last': `
      user: weather?
      assistant: call a weather
      tool: result a sunny`,
    'open calls: they get results first': `
      user: weather?
      assistant: call a weather`,
    'an answer that the provider itself paused': {
      before: [
        { role: 'user', content: 'hi' },
        {
          role: 'assistant',
          content: [{ type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'a' } }],
        },
      ],
      dialect: 'anthropic-messages',
      constraint: { paused: /^server_tool_use$/ },
    },
    'a message that asks to be gone on from': {
      before: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'hel', prefix: true },
      ],
      dialect: 'openai-chat',
      constraint: { unless: 'prefix' },
    },
  },
  invalid: {
    'the assistant last, where the request asks for what forbids it': {
      before: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'hello' },
      ],
      dialect: 'openai-chat',
      constraint: { setting: ['chat_template_kwargs', 'enable_thinking'] },
      body: { chat_template_kwargs: { enable_thinking: true } },
      finds: ['last'],
      after: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'hello' },
        { role: 'user', content: 'Continue.' },
      ],
    },
    'the assistant last': {
      before: `
        user: hi
        assistant: hello`,
      finds: ['last'],
      after: `
        user: hi
        assistant: hello
        user: Continue.`,
    },
    'the assistant last, without a model named': {
      before: `
        user: hi
        assistant: hello`,
      constraint: { models: /claude-opus-4-6/ },
      finds: ['last'],
    },
  },
})

testRule(lastAssistantPrefill, {
  constraints: { 'tool-result-missing': { evidence: 'documented' } },
  with: [toolResultMissing],
  valid: {
    'an open call that is answered': `
      user: weather?
      assistant: call a weather`,
  },
  invalid: {
    'words after an open call': {
      before: `
        user: weather?
        assistant: call a weather
        assistant: well`,
      finds: ['last'],
      dialects: ['openai-chat'],
      after: `
        user: weather?
        assistant: call a weather
        tool: result a ${lost}
        assistant: well
        user: Continue.`,
    },
  },
})
