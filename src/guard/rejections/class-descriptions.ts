/** Descriptions of rejections that belong to no rule, by class. */
export interface Meaning {
  readonly summary: string
  readonly why: string
  readonly fix: string
}

const FATAL = 'The history is not the cause; the guard returns the error unchanged.'
const SHORTER =
  'The guard shortens the largest tool results and sends the request again. If that does not suffice, it may replace the oldest rounds: by a note with `guard({ recovery: { dropRounds: true } })`, by a summary that your function writes with `guard({ recovery: { summarize } })`. To shorten the history before it is sent: `compact(history, { provider, model })`.'
const WAITS =
  'The guard waits as long as the provider asks, or with increasing delays, and sends the same request again.'
const NOT_AFTER_OUTPUT = `${WAITS} It does not retry after output has reached the client.`

export const classDescriptions: Readonly<Record<string, Meaning>> = {
  'prompt-too-long': {
    summary: 'The request fits the context window of the model.',
    why: 'The messages have more tokens than the context window of the model.',
    fix: SHORTER,
  },
  'request-too-large': {
    summary: 'The request body is not larger than the provider allows.',
    why: 'The body has too many bytes, mostly images and files. The limit does not depend on tokens.',
    fix: `${SHORTER} Images and files in tool results stay, unless \`guard({ recovery: { shrinkMedia: true } })\` allows to replace them by a note.`,
  },
  'rate-tier-too-small': {
    summary: 'One request has fewer tokens than the account may send per minute.',
    why: 'This single request exceeds the tokens per minute of the account, so waiting does not help.',
    fix: `${SHORTER} Or ask the provider for a higher tier.`,
  },
  'max-tokens-overflow': {
    summary: 'The history and `max_tokens` together fit the context window of the model.',
    why: '`max_tokens` is more than what the history leaves free, or more than the model can output.',
    fix: 'The guard lowers max_tokens (or the field with this meaning) to what fits, and sends the request again.',
  },
  'invalid-argument-opaque': {
    summary: 'The request is valid.',
    why: 'The provider names no cause. It may be the history, its size, or a parameter.',
    fix: 'The guard lints the request and repairs what it finds. It shrinks a valid large history once, and sends a valid small one once more.',
  },
  'model-tool-call-failed': {
    summary: 'The model writes tool calls that the provider can parse.',
    why: 'The model wrote a malformed tool call in this response. The history is not the cause.',
    fix: 'The guard sends the same request again, once or twice.',
  },
  'rate-limited': {
    summary: 'Requests stay within the rate limit of the account.',
    why: 'The account sent too many requests or tokens in a short time.',
    fix: WAITS,
  },
  overloaded: {
    summary: 'The provider has capacity for the request.',
    why: 'The servers of the provider are busy. Your account is not the cause.',
    fix: WAITS,
  },
  'server-error': {
    summary: 'The provider processes the request without an internal error.',
    why: 'Something failed on the side of the provider.',
    fix: WAITS,
  },
  'stream-error': {
    summary: 'A stream ends with its terminal event.',
    why: 'The stream ended with an error event.',
    fix: NOT_AFTER_OUTPUT,
  },
  'stream-truncated': {
    summary: 'A stream ends with its terminal event.',
    why: 'The connection closed before the terminal event.',
    fix: NOT_AFTER_OUTPUT,
  },
  auth: {
    summary: 'The request has a valid API key with the required permissions.',
    why: 'The key is wrong, missing or expired, or lacks a permission.',
    fix: `Check key, organization and base URL. ${FATAL}`,
  },
  billing: {
    summary: 'The account has credit and quota for the request.',
    why: 'The credit, the quota or your own spend limit is used up.',
    fix: `Look at the billing page of the provider. ${FATAL}`,
  },
  'account-policy': {
    summary: 'A provider that your settings allow serves the model.',
    why: 'Your privacy or routing settings exclude every provider of the model.',
    fix: `Change the settings or the model. ${FATAL}`,
  },
  'unknown-model': {
    summary: 'The model exists and is available to the account.',
    why: 'The name is misspelled, the model is retired, or it is not available to this account or region.',
    fix: `Check the name. ${FATAL}`,
  },
  'not-found': {
    summary: 'The URL of the request exists.',
    why: 'The base URL, the path or the model is wrong.',
    fix: `Check the URL. ${FATAL}`,
  },
  'content-policy': {
    summary: 'The prompt and the response comply with the content policy of the provider.',
    why: 'A content filter blocked the prompt or the response.',
    fix: `Change the prompt. ${FATAL}`,
  },
  'bad-parameter': {
    summary: 'The model supports every parameter and its value.',
    why: 'A parameter is unknown, or its value is out of range.',
    fix: `Change the parameter that the error names. ${FATAL}`,
  },
  'parameter-conflict': {
    summary: 'The parameters can be combined.',
    why: 'Two parameters exclude each other.',
    fix: `Remove one of them. ${FATAL}`,
  },
  'beta-field-without-header': {
    summary: 'A request with a beta field has the header of the beta, and the endpoint serves the beta.',
    why: 'The endpoint does not know the field without the header.',
    fix: `Send the header, or remove the field. ${FATAL}`,
  },
  'tool-schema-invalid': {
    summary: 'Every declared tool has a schema that the provider supports.',
    why: 'A schema uses something that this provider does not support.',
    fix: `Change the declaration of the tool. ${FATAL}`,
  },
  'tool-not-declared': {
    summary: 'The tool that `tool_choice` names is declared.',
    why: '`tool_choice` names a tool that the request does not declare.',
    fix: `Declare the tool, or change tool_choice. ${FATAL}`,
  },
  'json-mode-keyword': {
    summary: 'A request in JSON mode contains the word "json" in a message.',
    why: 'JSON mode is on and no message contains the word "json". A compaction may have removed the message that did.',
    fix: `Write "json" in the system prompt. ${FATAL}`,
  },
  'cache-too-small': {
    summary: 'A cached prefix has at least the minimum number of tokens.',
    why: 'The content of an explicit cache is smaller than the minimum of the provider.',
    fix: `Do not create the cache. ${FATAL}`,
  },
}
