import type { Table } from '../table.ts'

const user = (...content: unknown[]) => ({ role: 'user', content })
const assistant = (...content: unknown[]) => ({ role: 'assistant', content })
const call = (toolUseId: string, name = 'look') => ({ toolUse: { toolUseId, name, input: {} } })
const result = (toolUseId: string) => ({ toolResult: { toolUseId, content: [{ text: 'done' }] } })
const hi = user({ text: 'hi' })
const toolConfig = { tools: [{ toolSpec: { name: 'look' } }] }
const list = (...messages: unknown[]) => ({ messages, toolConfig })
const on = (model: string, ...messages: unknown[]) => ({ model, messages, toolConfig })
const long = 'tooluse_'.padEnd(65, 'x')
const FAILED = 'failed to satisfy constraint: Member must have length less than or equal to 64'
const MODEL = 'The model returned the following errors: '

export const bedrock: Table = {
  to: { provider: 'bedrock' },
  accepted: {
    'calls answered in another order': list(
      hi,
      assistant(call('IDa'), call('IDb')),
      user(result('IDb'), result('IDa')),
    ),
    'an assistant last, model not named': list(hi, assistant({ text: 'Well ' })),
    'text beside results, Nova': on(
      'us.amazon.nova-pro-v1:0',
      hi,
      assistant(call('IDa')),
      user(result('IDa'), { text: 'and?' }),
    ),
    'an id with dots and colons': list(hi, assistant(call('functions.look:0')), user(result('functions.look:0'))),
    'no calls and no tools': { messages: [hi] },
    'a tool that the provider ran': list(
      hi,
      assistant({ toolUse: { toolUseId: 'IDs', name: 'look', input: {}, type: 'server_tool_use' } }, result('IDs'), {
        text: 'ok',
      }),
      hi,
    ),
  },
  rejected: {
    'an answer first': [
      list(assistant({ text: 'ok' }), hi),
      'first-not-user',
      'A conversation must start with a user message. Try again with a conversation that starts with a user message.',
    ],
    'arguments that are a text': [
      list(hi, assistant({ toolUse: { toolUseId: 'IDa', name: 'look', input: '{}' } }), user(result('IDa'))),
      'tool-arguments-not-object',
      'The format of the value at messages.1.content.0.toolUse.input is invalid. Provide a json object for the field and try again.',
    ],
    'a call without an id': [
      list(hi, assistant({ toolUse: { name: 'look', input: {} } }), user(result('IDa'))),
      'tool-call-id-empty',
      "1 validation error detected: Value at 'messages.2.member.content.1.member.toolUse.toolUseId' failed to satisfy constraint: Member must not be null",
    ],
    'a result that is a text': [
      list(hi, assistant(call('IDa')), user({ toolResult: { toolUseId: 'IDa', content: 'done' } })),
      'tool-result-shape',
      "1 validation error detected: Value at 'messages.3.member.content.1.member.toolResult.content' failed to satisfy constraint: Member must not be null",
    ],
    'a block with the type of another API': [
      list(user({ type: 'text', text: 'hi' })),
      'unknown-field',
      'Unknown parameter in messages.1.member.content.1.member: "type"',
    ],
    'an image of another API in a result': [
      list(
        hi,
        assistant(call('IDa')),
        user({
          toolResult: { toolUseId: 'IDa', content: [{ type: 'image', source: { type: 'base64', data: 'aGk=' } }] },
        }),
      ),
      'tool-result-shape',
      'Unknown parameter in messages.3.member.content.1.member.toolResult.content.1.member: "type"',
    ],
    'no result': [
      list(hi, assistant(call('IDa'), call('IDb')), user(result('IDa'))),
      'tool-result-missing',
      'Expected toolResult blocks at messages.2.content for the following Ids: IDb',
    ],
    'calls at the end': [
      list(hi, assistant(call('IDa'))),
      'tool-result-missing',
      'Expected toolResult blocks at messages.2.content for the following Ids: IDa',
    ],
    'a result of nothing': [
      list(hi, assistant({ text: 'ok' }), user(result('IDa'))),
      'tool-result-orphan',
      'The number of toolResult blocks at messages.2.content exceeds the number of toolUse blocks of previous turn.',
    ],
    'two results': [
      list(hi, assistant(call('IDa')), user(result('IDa'), result('IDa'))),
      'tool-result-duplicate',
      'The number of toolResult blocks at messages.2.content exceeds the number of toolUse blocks of previous turn.',
    ],
    'text beside results, Llama': [
      on('meta.llama3-1-70b-instruct-v1:0', hi, assistant(call('IDa')), user(result('IDa'), { text: 'and?' })),
      'tool-result-mixed-with-other-parts',
      'messages.2.content: Conversation blocks and tool result blocks cannot be provided in the same turn.',
    ],
    'a blank text': [
      list(hi, assistant({ text: ' ' }), hi),
      'text-blank',
      'The text field in the ContentBlock object at messages.1.content.0 is blank. Add text to the text field, and try again.',
    ],
    'no blocks': [
      list(hi, assistant(), hi),
      'content-empty',
      'The content field in the Message object at messages.1 is empty. Add a ContentBlock object to the content field and try again.',
    ],
    'two user turns': [
      list(hi, hi),
      'role-order',
      'A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.',
    ],
    'no tools declared': [
      { messages: [hi, assistant(call('IDa')), user(result('IDa'))] },
      'tools-undeclared-with-history',
      'The toolConfig field must be defined when using toolUse and toolResult content blocks.',
    ],
    'ids of 65': [
      list(hi, assistant(call(long), call(`${long}y`)), user(result(long), result(`${long}y`))),
      'tool-call-id-too-long',
      `4 validation errors detected: Value at 'messages.2.member.content.1.member.toolUse.toolUseId' ${FAILED}; Value at 'messages.2.member.content.2.member.toolUse.toolUseId' ${FAILED}; Value at 'messages.3.member.content.1.member.toolResult.toolUseId' ${FAILED}; Value at 'messages.3.member.content.2.member.toolResult.toolUseId' ${FAILED}`,
    ],
    'an id with a slash': [
      list(hi, assistant(call('a/b'))),
      'tool-call-id-format',
      "1 validation error detected: Value at 'messages.2.member.content.1.member.toolUse.toolUseId' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.:-]+",
    ],
    'a declared name with a dot': [
      { messages: [hi], toolConfig: { tools: [{ toolSpec: { name: 'a.b' } }] } },
      'tool-call-name-invalid',
      "1 validation error detected: Value at 'toolConfig.tools.1.member.toolSpec.name' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+",
    ],
    'a document with the name of a file': [
      list(user({ text: 'read' }, { document: { format: 'pdf', name: 'a_b.pdf', source: { bytes: 'JVBERi0x' } } })),
      'document-name-invalid',
      "The document file name can only contain alphanumeric characters, whitespace characters, hyphens, parentheses, and square brackets. The name can't contain more than one consecutive whitespace character.",
    ],
    'an assistant last, Claude 4.6': [
      on('us.anthropic.claude-sonnet-4-6-v1:0', hi, assistant({ text: 'Well' })),
      'last-assistant-prefill',
      `${MODEL}This model does not support assistant message prefill. The conversation must end with a user message.`,
    ],
    'white space at the end, Claude': [
      on('anthropic.claude-3-haiku-20240307-v1:0', hi, assistant({ text: 'Well ' })),
      'trailing-whitespace',
      `${MODEL}messages: final assistant content cannot end with trailing whitespace`,
    ],
    'unsigned thinking, Claude': [
      on('anthropic.claude-sonnet-4-v1:0', hi, assistant({ reasoningContent: { reasoningText: { text: 'hm' } } }), hi),
      'thinking-signature-missing',
      `${MODEL}messages.1.content.0.thinking.signature: Field required`,
    ],
    'no thinking before the last calls, Claude': [
      {
        ...on('anthropic.claude-sonnet-4-v1:0', hi, assistant(call('IDa')), user(result('IDa'))),
        additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 1024 } },
      },
      'thinking-block-missing-before-tool-use',
      `${MODEL}messages.1.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`tool_use\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking`,
    ],
    'a system message': [
      list({ role: 'system', content: [{ text: 'x' }] }),
      'role-unknown',
      "1 validation error detected: Value at 'messages.1.member.role' failed to satisfy constraint: Member must satisfy enum value set: [user, assistant]",
    ],
  },
}

export const bedrockInvoke: Table = {
  to: { provider: 'bedrock', endpoint: 'messages' },
  accepted: { 'one prompt': { messages: [user({ type: 'text', text: 'hi' })] } },
  rejected: {
    'two user turns': [
      { messages: [user({ type: 'text', text: 'hi' }), user({ type: 'text', text: 'hi' })] },
      'role-order',
      'messages: roles must alternate between "user" and "assistant", but found multiple "user" roles in a row',
    ],
    'two assistant turns': [
      { messages: [user({ type: 'text', text: 'hi' }), ...[1, 2].map(() => assistant({ type: 'text', text: 'ok' }))] },
      'role-order',
      'messages: roles must alternate between "user" and "assistant", but found multiple "assistant" roles in a row',
    ],
  },
}
