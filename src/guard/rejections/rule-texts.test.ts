/** Real rejections lead back to the rule they are about, and to no other. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { skippable } from '../../../test/skip-reasons.ts'
import { rules } from '../../rules/index.ts'
import { classify } from './index.ts'

interface Rejection {
  readonly rule: string
  readonly message: string
  readonly body?: string
  readonly provider: string
  readonly note?: string
}

/** Wordings of docs/rejections.md that the corpus has no example of. */
const worded: readonly (readonly [rule: string, text: string])[] = [
  ['reasoning-summary-missing', "Missing required parameter: 'input[7].summary'."],
  [
    'content-part-direction',
    "Invalid value: 'text'. Supported values are: 'input_text', 'input_image', 'output_text', 'refusal', 'input_file', 'computer_screenshot', and 'summary_text'.",
  ],
  [
    'tool-result-shape',
    "messages.2.content.0.tool_result.content.0: Input tag 'image_url' found using 'type' does not match any of the expected tags: 'document', 'image'",
  ],
  [
    'first-not-user',
    'A conversation must start with a user message. Try again with a conversation that starts with a user message.',
  ],
  [
    'tool-arguments-not-object',
    'The format of the value at messages.3.content.1.toolUse.input is invalid. Provide a json object for the field and try again.',
  ],
  ['thinking-last', 'messages.3: The final block in an assistant message cannot be thinking.'],
  ['tool-call-name-invalid', 'messages.5.content.1.tool_use.name: String should have at least 1 character'],
  ['tool-call-name-invalid', 'messages.5.content.1.tool_use.name: String should have at most 200 characters'],
  ['tool-result-shape', 'messages.2.content.0.tool_result.content: Input should be a valid string'],
  ['tool-result-shape', 'messages.2.content.0.tool_result.content.0.type: Field required'],
  ['tool-result-shape', 'messages.2.content.0.tool_result.content.0.text.text: Field required'],
  ['tool-result-shape', 'messages.2.content.0.tool_result.content.0.text.annotations: Extra inputs are not permitted'],
  ['tool-result-shape', "Missing required parameter: 'input[1].output'."],
  [
    'tool-result-duplicate',
    "Invalid parameter: Duplicate value for 'tool_call_id' of 'call_1', in messages[8] and messages[9].",
  ],
  [
    'tool-arguments-not-object',
    "Invalid type for 'messages[2].tool_calls[0].function.arguments': expected a string, but got an object instead.",
  ],
  [
    'tool-result-multimodal-unsupported',
    "Invalid 'messages[234]'. Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an image URL.",
  ],
  [
    'foreign-message',
    "Invalid value: 'tool_use'. Supported values are: 'text', 'image_url', 'input_audio', 'refusal', 'audio', and 'file'.",
  ],
  ['item-id-prefix', "Invalid 'id': message id must be a string starting with 'msg_'"],
  [
    'tool-result-name-missing',
    '* GenerateContentRequest.contents[2].parts[0].function_response.name: Name cannot be empty.',
  ],
  [
    'tool-result-mixed-with-other-parts',
    'Please ensure that function call turn contains at least one function_call part which can not be mixed with function_response parts.',
  ],
  ['tool-call-id-duplicate', 'The toolUse blocks at messages.2.content contain duplicate Ids: a'],
  [
    'tool-result-not-object',
    'The format of the value at messages.2.content.0.toolResult.content.0.json is invalid. Provide a json object for the field and try again.',
  ],
  ['tool-result-missing', 'invalid params, tool call result does not follow tool call (2013)'],
  ['lone-surrogate', 'Invalid JSON: lone leading surrogate in hex escape at line 1 column 5'],
  [
    'tool-result-missing',
    'messages.3: Did not find 1 `tool_result` block(s) at the beginning of this message. Messages following `tool_use` blocks must begin with a matching number of `tool_result` blocks.',
  ],
  ['tool-result-missing', 'No tool output found for local shell call call_1.'],
  ['tool-result-missing', 'AI_MessageConversionError: ToolInvocation must have a result: {"state":"call"}'],
  [
    'tool-result-missing',
    'ValueError: Found AIMessages with tool_calls that do not have a corresponding ToolMessage. Here are the first few of those tool calls: []',
  ],
  ['tool-result-orphan', 'Unexpected role RoleEnum.tool'],
  [
    'tool-result-orphan',
    '<400> InternalError.Algo.InvalidParameter: messages with role "tool" must be a response to a preceeding message with "tool_calls".',
  ],
  ['tool-result-orphan', "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'"],
  ['tool-result-count-mismatch', 'Not the same number of function calls and responses'],
  ['unknown-field', 'messages.3.content.1.text.parsed: Extra inputs are not permitted'],
  [
    'unknown-field',
    'messages.1.content.6.tool_search_tool_result.content.RequestToolSearchToolResultError.error_message: Extra inputs are not permitted',
  ],
  ['unknown-field', 'messages.2.tool_calls: Extra inputs are not permitted'],
  [
    'unknown-field',
    'Parameter validation failed:\nUnknown parameter in messages[0].content[0]: "type", must be one of: text, image, document, video',
  ],
  ['tool-result-duplicate', 'The toolResult blocks at messages.2.content contain duplicate Ids: tooluse_1'],
  [
    'unknown-field',
    "'messages.2' : for 'role:user' the following must be satisfied[('messages.2' : property 'timestamp' is unsupported)]",
  ],
  [
    'reasoning-content-forbidden',
    "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property 'reasoning_content' is unsupported)]",
  ],
  [
    'server-tool-result-orphan',
    'messages.1: `web_search` tool use with id `srvtoolu_01` was found without a corresponding `web_search_tool_result` block',
  ],
  ['messages-empty', 'messages: at least one message is required'],
  ['role-unknown', "Invalid value: 'tool'. Supported values are: 'system', 'assistant', 'user', and 'function'."],
  ['content-missing', "Missing required parameter: 'messages[2].content'."],
  ['content-shape', "Invalid type for 'messages[1].content[0].text': expected a string, but got null instead."],
  ['item-id-not-persisted', "Item with id 'rs_1' not found."],
  [
    'content-empty',
    'Unable to submit request because it must include at least one parts field, which describes the prompt input.',
  ],
  ['content-empty', 'Assistant message must have either content or tool_calls, but not none.'],
  ['tool-call-name-invalid', '* GenerateContentRequest.contents[2].parts[0].function_call.name: Name cannot be empty.'],
  [
    'last-assistant-prefill',
    'Your API request included an `assistant` message in the final position, which would pre-fill the `assistant` response. When using tools, pre-filling the `assistant` response is not supported.',
  ],
  ['tool-call-id-empty', 'Tool call id has to be defined.'],
  [
    'tool-call-id-empty',
    'Failed to deserialize the JSON body into the target type: messages[3]: missing field `tool_call_id` at line 1 column 2',
  ],
  ['tool-call-id-empty', "Missing required parameter: 'input[3].call_id'."],
  ['tool-call-id-empty', "Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'."],
  ['tool-call-id-empty', "Missing required parameter: 'messages[2].tool_calls[0].id'."],
  ['tool-call-id-empty', 'messages.1.content.1.tool_use.id: Field required'],
  ['tool-call-id-empty', 'messages.2.content.0.tool_result.tool_use_id: Field required'],
  ['tool-call-id-empty', 'Invalid request: tool_call_id  is not found'],
  ['tool-result-orphan', 'Invalid request: tool_call_id Bash:3 is not found'],
  ['image-unreadable', 'Could not process image'],
  [
    'image-unreadable',
    'messages.83.content.0.tool_result.content.1.image.source.base64: The image was specified using the image/jpeg media type, but the image appears to be a image/png image',
  ],
  [
    'image-unreadable',
    'messages.6.content.5.image.source.base64.data: Image does not match the provided media type image/png',
  ],
  ['image-unreadable', 'messages.118.content.4.image.source.base64: image cannot be empty'],
  ['messages-empty', "[] is too short - 'messages'"],
  ['messages-empty', '* GenerateContentRequest.contents: contents is not specified'],
  ['system-message-position', 'System message must be at the beginning.'],
  ['content-null', 'invalid message content type: <nil>'],
  [
    'tool-arguments-not-object',
    "Invalid type for 'messages[3].tool_calls[0].function.arguments': expected a string, but got an object instead.",
  ],
  ['role-order', "Unexpected role 'system' after role 'user'"],
  ['tool-call-id-format', "messages.1.content.1.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"],
  ['tool-call-id-format', 'Tool call IDs should be alphanumeric strings with length 9'],
  ['tool-arguments-not-object', 'messages.3.content.1.tool_use.input: Input should be a valid dictionary'],
  [
    'tool-call-name-invalid',
    "Invalid 'messages[9].tool_calls[0].function.name': empty string. Expected a string with minimum length 1, but got an empty string instead.",
  ],
  [
    'message-name-invalid',
    "Invalid 'messages[1].name': string does not match pattern. Expected a string that matches the pattern '^[^\\s<|\\\\/>]+$'.",
  ],
  [
    'tool-calls-empty-array',
    "Invalid 'messages[2].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.",
  ],
  [
    'messages-empty',
    "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
  ],
  ['content-empty', 'The content field in the Message object at messages.3 is empty. Add a ContentBlock object to it.'],
  ['content-empty', "Invalid request: the message at position 3 with role 'assistant' must not be empty"],
  ['content-empty', 'Unable to submit request because it has an empty text parameter'],
  ['content-empty', 'messages[2] assistant content must contain at least one part'],
  [
    'text-blank',
    'The text field in the ContentBlock object at messages.1.content.0 is blank. Add text to the text field, and try again.',
  ],
  [
    'content-missing',
    "'messages.4' : for 'role:tool' the following must be satisfied[('messages.4.content' : property 'content' is missing)]",
  ],
  ['content-null', "'NoneType' object is not iterable"],
  ['content-shape', "the message at position 2 with role 'user' contains an invalid part type: video_url"],
  ['content-shape', 'messages.0: Input does not match the expected shape.'],
  ['content-part-direction', "Invalid value: 'input_text'."],
  [
    'role-unknown',
    'Failed to deserialize the JSON body into the target type: messages[3].role: unknown variant `function`, expected one of `system`, `user`',
  ],
  ['role-unknown', "Unsupported value: 'messages[0].role' does not support 'developer' with this model."],
  ['role-unknown', 'Please use a valid role: user, model.'],
  ['lone-surrogate', 'The request body is not valid JSON: invalid high surrogate in string: line 1 column 9 (char 8)'],
  [
    'unknown-field',
    '{"detail":[{"type":"extra_forbidden","loc":["body","messages",2,"assistant","name"],"msg":"Extra inputs are not permitted","input":"x"}]}',
  ],
  [
    'tools-undeclared-with-history',
    'The toolConfig field must be defined when using toolUse and toolResult content blocks.',
  ],
  [
    'image-too-large-dimension',
    'messages.3.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels',
  ],
]

/** Texts that mean two things: what was sent, or the provider, tells them apart. */
const ambiguous = new Set([
  'Failed to parse tool call arguments as JSON',
  'Requests ending with a model turn are not supported.',
  'messages 参数非法。请检查文档。',
])

const folder = process.env['SUTURE_CORPUS']
const corpus = folder
  ? pathToFileURL(join(folder, '../error-corpus.json'))
  : new URL('../../../../shared/error-corpus.json', import.meta.url)
const known = new Set<string>(rules.map((rule) => rule.id))

function rulesFor(text: string): readonly string[] {
  const { rule } = classify({ status: 400, headers: new Headers(), body: text }, () => [])
  return rule !== undefined && known.has(rule) ? [rule] : []
}

describe('rejections', () => {
  it.each(worded)('%s: %s', (rule, text) => {
    expect(rulesFor(text)).toEqual([rule])
    expect(rulesFor(text.replaceAll('`', ''))).toEqual([rule])
  })

  it.skipIf(!existsSync(corpus))(
    skippable(
      'are distinguished in the corpus of real ones',
      !existsSync(corpus) && 'no error-corpus.json beside the corpus',
    ),
    () => {
      const wrong: string[] = []
      for (const { rule, message, body, note } of read()) {
        const found = rulesFor(message)
        const expected = known.has(rule) && !ambiguous.has(message) ? [rule] : ambiguous.has(message) ? found : []
        const deeper = found.length === 0 && expected.length > 0 ? rulesFor(body ?? '') : found
        if (String(deeper) !== String(expected))
          wrong.push(`${rule}: found [${deeper}] in ${message.slice(0, 160)} ${note ?? ''}`)
      }
      expect(wrong).toEqual([])
    },
  )
})

function read(): readonly Rejection[] {
  return JSON.parse(readFileSync(corpus, 'utf8')) as readonly Rejection[]
}
