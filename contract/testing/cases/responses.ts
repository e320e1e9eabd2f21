import type { Table } from '../table.ts'

const user = { role: 'user', content: 'hi' }
const call = (id: string, more: object = {}) => ({
  type: 'function_call',
  call_id: id,
  name: 'look',
  arguments: '{}',
  ...more,
})
const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'done' })
const reasoning = (more: object = {}) => ({ type: 'reasoning', id: 'rs_IDa', summary: [], ...more })
const says = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'ok' }] }
const input = (...input: unknown[]) => ({ input })
const NOT_STORED = (id: string) =>
  `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`

export const openaiResponses: Table = {
  to: { provider: 'openai-responses' },
  accepted: {
    'a string': { input: 'hi' },
    'messages between call and output': input(user, call('IDa'), user, output('IDa')),
    'two outputs for one call': input(user, call('IDa'), output('IDa'), output('IDa')),
    'an output alone, after a stored response': { ...input(output('IDa')), previous_response_id: 'resp_IDa' },
    'an output alone, in a conversation': { ...input(output('IDa')), conversation: 'conv_IDa' },
    'an output of a tool search': input({ type: 'tool_search_call', call_id: 'IDa' }, output('IDa')),
    'a kind of call whose words were not seen': input(user, { type: 'computer_call', call_id: 'IDa' }),
    'reasoning before its call': input(user, reasoning({ content: [] }), call('IDa', { id: 'fc_IDa' }), output('IDa')),
    'encrypted reasoning without a store': {
      ...input(user, reasoning({ encrypted_content: 'gAAAAABo' }), says),
      store: false,
    },
  },
  rejected: {
    'no output': [input(user, call('IDa')), 'tool-result-missing', 'No tool output found for function call IDa.'],
    'no output of its own kind': [
      input(user, { type: 'custom_tool_call', call_id: 'IDa', name: 'look', input: '' }),
      'tool-result-missing',
      'No tool output found for custom tool call IDa.',
    ],
    'no output of a shell call': [
      input(user, { type: 'local_shell_call', call_id: 'IDa', action: {} }),
      'tool-result-missing',
      'No tool output found for local shell call IDa.',
    ],
    'an output alone': [
      input(user, output('IDa')),
      'tool-result-orphan',
      'No tool call found for function call output with call_id IDa.',
    ],
    'an empty id': [
      input(user, call('')),
      'tool-call-id-empty',
      "Invalid 'input[1].call_id': empty string. Expected a string with minimum length 1, but got an empty string instead.",
    ],
    'an id of 65': [
      input(user, call('x'.repeat(65))),
      'tool-call-id-too-long',
      "Invalid 'input[1].call_id': string too long. Expected a string with maximum length 64, but got a string with length 65 instead.",
    ],
    'reasoning with nothing after it': [
      input(user, reasoning()),
      'reasoning-item-orphan',
      "Item 'rs_IDa' of type 'reasoning' was provided without its required following item.",
    ],
    'reasoning with a prompt after it': [
      input(user, reasoning(), user),
      'reasoning-item-orphan',
      "Item 'rs_IDa' of type 'reasoning' was provided without its required following item.",
    ],
    'reasoning with open text': [
      input(user, reasoning({ content: [{ type: 'reasoning_text', text: 'hm' }] }), says),
      'reasoning-item-content-forbidden',
      "Invalid 'input[1].content': array too long. Expected an array with maximum length 0, but got an array with length 1 instead.",
    ],
    'reasoning without a summary': [
      input(user, { type: 'reasoning', encrypted_content: 'gAAAAABo' }, says),
      'reasoning-summary-missing',
      "Missing required parameter: 'input[1].summary'.",
    ],
    'a text part of the chat API': [
      input({ role: 'user', content: [{ type: 'text', text: 'hi' }] }),
      'content-part-direction',
      "Invalid value: 'text'. Supported values are: 'input_text', 'input_image', 'output_text', 'refusal', 'input_file', 'computer_screenshot', and 'summary_text'.",
    ],
    'an image of the chat API in an output': [
      input(user, call('IDa'), { ...output('IDa'), output: [{ type: 'image_url', image_url: { url: 'data:,' } }] }),
      'tool-result-shape',
      "Invalid value: 'image_url'. Supported values are: 'input_text', 'input_image', and 'input_file'.",
    ],
    'a summary for encrypted content': [
      input(user, reasoning({ encrypted_content: '- ** I looked at it' }), says),
      'reasoning-encrypted-content-invalid',
      'The encrypted content - **...t it could not be verified. Reason: Encrypted content could not be decrypted or parsed.',
    ],
    'reasoning that was not stored': [
      { ...input(user, reasoning(), says), store: false },
      'item-id-not-persisted',
      NOT_STORED('rs_IDa'),
      404,
    ],
    'a reference to what was not stored': [
      { ...input(user, { type: 'item_reference', id: 'msg_IDa' }), store: false },
      'item-id-not-persisted',
      NOT_STORED('msg_IDa'),
      404,
    ],
    'a call id for an item id': [
      input(user, call('IDa', { id: 'call_IDa' }), output('IDa')),
      'item-id-prefix',
      "Invalid 'input[1].id': 'call_IDa'. Expected an ID that begins with 'fc'.",
    ],
    'a foreign id on reasoning': [
      input(user, { ...reasoning(), id: 'item_IDa' }, says),
      'item-id-prefix',
      "Invalid 'input[1].id': 'item_IDa'. Expected an ID that begins with 'rs'.",
    ],
    'a foreign id on a message': [
      input(user, { ...says, id: 'item_IDa' }),
      'item-id-prefix',
      "Invalid 'input[1].id': 'item_IDa'. Expected an ID that begins with 'msg'.",
    ],
    'one item twice': [
      input(user, { ...says, id: 'msg_IDa' }, { ...says, id: 'msg_IDa' }),
      'item-id-duplicate',
      'Duplicate item found with id msg_IDa. Remove duplicate items from your input and try again.',
    ],
    'a field of the reply, echoed': [
      input(user, reasoning({ status: 'completed' }), says),
      'unknown-field',
      "Unknown parameter: 'input[1].status'.",
    ],
    'content null': [
      input({ role: 'user', content: null }),
      'content-null',
      "Invalid type for 'input[0].content': expected a string or a list, but got null instead.",
    ],
    'input where output belongs': [
      input(user, { role: 'assistant', content: [{ type: 'input_text', text: 'ok' }] }),
      'content-part-direction',
      "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'.",
    ],
  },
}

/** Copilot: the same, except for item ids, which belong to a connection. */
export const copilotResponses: Table = {
  to: { provider: 'copilot', endpoint: 'responses', issuedIds: new Set(['fc_IDown']) },
  accepted: {
    'an id of this connection': input(user, call('IDa', { id: 'fc_IDown' }), output('IDa')),
    'items without ids': input(user, call('IDa'), output('IDa')),
  },
  rejected: {
    'an id of another connection': [
      input(user, call('IDa', { id: 'fc_IDa' }), output('IDa')),
      'item-id-other-connection',
      'input item ID does not belong to this connection',
      401,
    ],
    'no output': [input(user, call('IDa')), 'tool-result-missing', 'No tool output found for function call IDa.'],
  },
}

export const azureResponses: Table = {
  to: { provider: 'azure', endpoint: 'responses' },
  accepted: {},
  rejected: {
    'content of another deployment': [
      input(user, reasoning({ encrypted_content: 'IDxx and more xxID' }), says),
      'reasoning-encrypted-content-invalid',
      'The encrypted content IDxx...xxID could not be verified.',
    ],
  },
}

export const deepseekResponses: Table = {
  to: { provider: 'deepseek', endpoint: 'responses', model: 'deepseek-v4-flash' },
  accepted: {
    'open reasoning': input(
      user,
      reasoning({ content: [{ type: 'reasoning_text', text: 'hm' }] }),
      call('IDa'),
      output('IDa'),
    ),
    'no reasoning before the last prompt': input(call('IDa'), output('IDa'), user),
  },
  rejected: {
    'no reasoning in the loop': [
      input(user, call('IDa'), output('IDa')),
      'reasoning-content-missing',
      'The reasoning_text in the thinking mode must be passed back to the API',
    ],
  },
}

export const otherResponses: Table = {
  to: { provider: 'xai', endpoint: 'responses' },
  accepted: { 'encrypted content of its own': input(user, reasoning({ encrypted_content: 'm/Nx6A' }), says) },
  rejected: {
    'an item that is a string': [
      input('hi'),
      'message-shape',
      "Invalid type for 'input[0]': expected an object, but got a string instead.",
    ],
  },
}
