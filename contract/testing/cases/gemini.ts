import type { Table } from '../table.ts'

const user = (...parts: unknown[]) => ({ role: 'user', parts })
const model = (...parts: unknown[]) => ({ role: 'model', parts })
const call = (name = 'look') => ({ functionCall: { name, args: {} } })
const signed = (name = 'look') => ({ ...call(name), thoughtSignature: 'c2tpcA==' })
const response = (name = 'look') => ({ functionResponse: { name, response: { ok: true } } })
const hi = user({ text: 'hi' })
const says = model({ text: 'ok' })
const list = (...contents: unknown[]) => ({ contents })
const on = (model: string, ...contents: unknown[]) => ({ model, contents })

const COUNT =
  'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.'
const CALL_TURN =
  'Please ensure that function call turn comes immediately after a user turn or after a function response turn.'
const ORPHAN = 'Please ensure that function response turn comes immediately after a function call turn'
const UNSIGNED = (name: string, n: number) =>
  `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\` , position ${n}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`
const LEARN = ' Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/gemini'

export const geminiTurns: Table = {
  to: { provider: 'gemini' },
  accepted: {
    'responses in separate contents': list(
      hi,
      model(call(), call(), call()),
      user(response()),
      user(response()),
      user(response()),
    ),
    'a parallel turn as two, answered together': list(hi, model(call()), model(call()), user(response(), response())),
    'text beside a response': list(hi, model(call()), user(response(), { text: 'and?' })),
    'a prompt after the responses': list(hi, model(call()), user(response()), hi),
    'snake case': list(hi, model({ function_call: { name: 'look' } }), user({ function_response: { name: 'look' } })),
    'a signature only on the first of parallel calls': on(
      'gemini-3-pro',
      hi,
      model(signed(), call()),
      user(response(), response()),
    ),
    'a signature on the thought before': on(
      'gemini-3-pro',
      hi,
      model({ text: '', thoughtSignature: 'aGk=' }, call()),
      user(response()),
    ),
    'no signatures, model not named': list(hi, model(call()), user(response())),
    'an empty text': list(user({ text: '' })),
  },
  rejected: {
    'one response for two calls': [
      list(hi, model(call(), call()), user(response())),
      'tool-result-count-mismatch',
      COUNT,
    ],
    'two responses for one call': [
      list(hi, model(call()), user(response(), response())),
      'tool-result-count-mismatch',
      COUNT,
    ],
    'no response': [list(hi, model(call()), hi), 'tool-result-count-mismatch', COUNT],
    'a list that begins with a call': [list(model(call()), user(response())), 'tool-call-turn-order', CALL_TURN],
    'a response of nothing': [list(hi, user(response())), 'tool-result-orphan', ORPHAN],
    'a list that begins with the model': [list(says, hi), 'first-not-user', 'Request contains an invalid argument.'],
    'the model last': [
      list(hi, says),
      'last-assistant-prefill',
      'Requests ending with a model turn are not supported.',
    ],
    'the model last, 2.5': [
      on('gemini-2.5-flash', hi, says),
      'last-assistant-prefill',
      'Please ensure that multiturn requests ends with a user role or a function response.',
    ],
    'no signature': [
      on('gemini-3-flash-preview', hi, model(call('toolID')), user(response())),
      'thought-signature-missing',
      UNSIGNED('toolID', 2),
    ],
    'no signature before the last prompt': [
      on('gemini-3-pro', hi, model(call('toolID')), user(response()), says, hi),
      'thought-signature-missing',
      UNSIGNED('toolID', 2),
    ],
    'a signature that is not one': [
      on('gemini-3-pro', hi, model({ ...call(), thoughtSignature: 'not base64!' }), user(response())),
      'thought-signature-invalid',
      'Corrupted thought signature.',
    ],
    'the same, 3.7': [
      on('gemini-3.7-flash', hi, model({ ...call(), thoughtSignature: 'not base64!' }), user(response())),
      'thought-signature-invalid',
      'Invalid thought signature.',
    ],
  },
}

export const geminiShape: Table = {
  to: { provider: 'gemini' },
  accepted: { 'one part without a list': list({ role: 'user', parts: { text: 'hi' } }) },
  rejected: {
    'no contents': [
      list(),
      'messages-empty',
      'Unable to submit request because at least one contents field is required.',
    ],
    'no parts': [
      list(hi, model()),
      'content-empty',
      '* GenerateContentRequest.contents[1].parts: contents.parts must not be empty.\n',
    ],
    'a part with only thought': [
      list(hi, model({ thought: true }), hi),
      'content-empty',
      "* GenerateContentRequest.contents[1].parts[0].data: required oneof field 'data' must have one initialized field\n",
    ],
    'a role of another dialect': [
      list({ role: 'assistant', parts: [{ text: 'hi' }] }),
      'role-unknown',
      'Please use a valid role: user, model.',
    ],
    'a message where parts belong': [
      list({ parts: { role: 'user', text: 'hi' } }),
      'unknown-field',
      'Invalid JSON payload received. Unknown name "role" at \'contents[0].parts\': Cannot find field.',
    ],
    'a field of another dialect': [
      list({ ...hi, content: 'hi' }),
      'unknown-field',
      'Invalid JSON payload received. Unknown name "content" at \'contents[0]\': Cannot find field.',
    ],
    'a response that is text': [
      list(hi, model(call()), user({ functionResponse: { name: 'look', response: 'ok' } })),
      'tool-result-not-object',
      "Invalid value at 'contents[2].parts[0].function_response.response' (type.googleapis.com/google.protobuf.Struct)",
    ],
    'a declared name with a blank': [
      { ...list(hi), tools: [{ functionDeclarations: [{ name: 'look up' }] }] },
      'tool-declaration-name-invalid',
      '* GenerateContentRequest.tools[0].function_declarations[0].name: Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.) or dashes (-), with a maximum length of 64.',
    ],
  },
}

export const vertexGemini: Table = {
  to: { provider: 'vertex' },
  accepted: { 'text beside a response': list(hi, model(call()), user(response(), { text: 'and?' })) },
  rejected: {
    'no contents': [
      list(),
      'messages-empty',
      `Unable to submit request because at least one contents field is required.${LEARN}`,
    ],
    'an empty text': [
      list(user({ text: '' })),
      'content-empty',
      `Unable to submit request because it has an empty text parameter. Add a value to the parameter and try again.${LEARN}`,
    ],
    'a signature that is not one': [
      on('gemini-3-pro', hi, model({ ...call(), thoughtSignature: 'not base64!' }), user(response())),
      'thought-signature-invalid',
      `Unable to submit request because Thought signature is not valid..${LEARN}`,
    ],
  },
}
