/**
 * Descriptions of rejections that belong to no rule, by class.
 */
import type { RejectionKind } from './types.ts'

export interface Meaning {
  readonly kind: RejectionKind
  readonly summary: string
  readonly why: string
  readonly fix: string
}

const FATAL = 'The history is not the cause; the guard returns the error unchanged.'
const SHORTER =
  'The guard shortens the largest tool results and sends the request again. If that does not suffice, it may replace the oldest rounds: by a note with `guard({ recovery: { dropRounds: true } })`, by a summary that your function writes with `guard({ recovery: { summarize } })`. To shorten the history before it is sent: `compact(history, { provider, model })`.'
const ONCE = 'The guard waits and sends the same request again, once or twice.'
const WAITS =
  'The guard waits as long as the provider asks, or with increasing delays, and sends the same request again.'
const NOT_AFTER_OUTPUT = `${WAITS} It does not retry after output has reached the client.`

export const classDescriptions: Readonly<Record<string, Meaning>> = {
  'prompt-too-long': {
    kind: 'size',
    summary: 'The request fits the context window of the model.',
    why: 'The messages have more tokens than the context window of the model.',
    fix: SHORTER,
  },
  'request-too-large': {
    kind: 'size',
    summary: 'The request body is not larger than the provider allows.',
    why: 'The body has too many bytes, mostly images and files. The limit does not depend on tokens.',
    fix: `${SHORTER} Images and files in tool results stay, unless \`guard({ recovery: { shrinkMedia: true } })\` allows to replace them by a note.`,
  },
  'rate-tier-too-small': {
    kind: 'size',
    summary: 'One request has fewer tokens than the account may send per minute.',
    why: 'This single request exceeds the tokens per minute of the account, so waiting does not help.',
    fix: `${SHORTER} Or ask the provider for a higher tier.`,
  },
  'max-tokens-overflow': {
    kind: 'output-limit',
    summary: 'The history and `max_tokens` together fit the context window of the model.',
    why: '`max_tokens` is more than what the history leaves free, or more than the model can output.',
    fix: 'The guard lowers max_tokens (or the field with this meaning) to what fits, and sends the request again.',
  },
  'invalid-argument-opaque': {
    kind: 'other',
    summary: 'The request is valid.',
    why: 'The provider names no cause. It may be the history, its size, or a parameter.',
    fix: 'The guard lints the request and repairs what it finds. It shrinks a valid large history once, and sends a valid small one once more.',
  },
  'model-tool-call-failed': {
    kind: 'model-output',
    summary: 'The model writes tool calls that the provider can parse.',
    why: 'The model wrote a malformed tool call in this response. The history is not the cause.',
    fix: 'The guard sends the same request again, once or twice.',
  },
  'rate-limited': {
    kind: 'retryable',
    summary: 'Requests stay within the rate limit of the account.',
    why: 'The account sent too many requests or tokens in a short time.',
    fix: WAITS,
  },
  overloaded: {
    kind: 'retryable',
    summary: 'The provider has capacity for the request.',
    why: 'The servers of the provider are busy. Your account is not the cause.',
    fix: WAITS,
  },
  'server-error': {
    kind: 'retryable',
    summary: 'The provider processes the request without an internal error.',
    why: 'Something failed on the side of the provider.',
    fix: WAITS,
  },
  'stream-error': {
    kind: 'retryable',
    summary: 'A stream ends with its terminal event.',
    why: 'The stream ended with an error event.',
    fix: NOT_AFTER_OUTPUT,
  },
  'stream-truncated': {
    kind: 'retryable',
    summary: 'A stream ends with its terminal event.',
    why: 'The connection closed before the terminal event.',
    fix: NOT_AFTER_OUTPUT,
  },
  auth: {
    kind: 'other',
    summary: 'The request has a valid API key with the required permissions.',
    why: 'The key is wrong, missing or expired, or lacks a permission.',
    fix: `Check key, organization and base URL. ${FATAL}`,
  },
  billing: {
    kind: 'other',
    summary: 'The account has credit and quota for the request.',
    why: 'The credit, the quota or your own spend limit is used up.',
    fix: `Look at the billing page of the provider. ${FATAL}`,
  },
  'account-policy': {
    kind: 'other',
    summary: 'A provider that your settings allow serves the model.',
    why: 'Your privacy or routing settings exclude every provider of the model.',
    fix: `Change the settings or the model. ${FATAL}`,
  },
  'unknown-model': {
    kind: 'other',
    summary: 'The model exists and is available to the account.',
    why: 'The name is misspelled, the model is retired, or it is not available to this account or region.',
    fix: `Check the name. ${FATAL}`,
  },
  'not-found': {
    kind: 'other',
    summary: 'The URL of the request exists.',
    why: 'The base URL, the path or the model is wrong.',
    fix: `Check the URL. ${FATAL}`,
  },
  'content-policy': {
    kind: 'other',
    summary: 'The prompt and the response comply with the content policy of the provider.',
    why: 'A content filter blocked the prompt or the response.',
    fix: `Change the prompt. ${FATAL}`,
  },
  'bad-parameter': {
    kind: 'other',
    summary: 'The model supports every parameter and its value.',
    why: 'A parameter is unknown, or its value is out of range.',
    fix: `Change the parameter that the error names. ${FATAL}`,
  },
  'parameter-conflict': {
    kind: 'other',
    summary: 'The parameters can be combined.',
    why: 'Two parameters exclude each other.',
    fix: `Remove one of them. ${FATAL}`,
  },
  'beta-field-without-header': {
    kind: 'other',
    summary: 'A request with a beta field has the header of the beta, and the endpoint serves the beta.',
    why: 'The endpoint does not know the field without the header.',
    fix: `Send the header, or remove the field. ${FATAL}`,
  },
  'tool-schema-invalid': {
    kind: 'other',
    summary: 'Every declared tool has a schema that the provider supports.',
    why: 'A schema uses something that this provider does not support.',
    fix: `Change the declaration of the tool. ${FATAL}`,
  },
  'tool-not-declared': {
    kind: 'other',
    summary: 'The tool that `tool_choice` names is declared.',
    why: '`tool_choice` names a tool that the request does not declare.',
    fix: `Declare the tool, or change tool_choice. ${FATAL}`,
  },
  'json-mode-keyword': {
    kind: 'other',
    summary: 'A request in JSON mode contains the word "json" in a message.',
    why: 'JSON mode is on and no message contains the word "json". A compaction may have removed the message that did.',
    fix: `Write "json" in the system prompt. ${FATAL}`,
  },
  'cache-too-small': {
    kind: 'other',
    summary: 'A cached prefix has at least the minimum number of tokens.',
    why: 'The content of an explicit cache is smaller than the minimum of the provider.',
    fix: `Do not create the cache. ${FATAL}`,
  },
  'conversation-locked': {
    kind: 'retryable',
    summary: 'One request at a time uses a conversation that the provider stores.',
    why: 'Another request or run of this conversation is still active.',
    fix: `${ONCE} If it stays locked, end the other run.`,
  },
  'tools-unsupported': {
    kind: 'other',
    summary: 'The model accepts tools, or the request has none.',
    why: 'This model or endpoint takes no tools, and the request declares tools or has tool calls.',
    fix: `Use a model or an endpoint that accepts tools. ${FATAL}`,
  },
  'tool-calls-too-many': {
    kind: 'other',
    summary: 'A message has no more tool calls than the provider allows.',
    why: 'One message of the assistant has more calls than the provider allows in a message: OpenAI allows 128.',
    fix: 'Split the message: repeat the assistant message with the rest of the calls after the results of the first ones. The guard returns the error unchanged.',
  },
}
