/** Descriptions of rejections that belong to no rule: a line for each class. */
import { rowsOf } from './meaning.ts'
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
const WAITS =
  'The guard waits as long as the provider asks, or with increasing delays, and sends the same request again.'
const ONCE = 'The guard waits and sends the same request again, once or twice.'

/** Kind, what must hold, what happens otherwise, what to do. */
const classes = `
prompt-too-long: size | The request fits the context window of the model. | The messages have more tokens than the context window of the model. | ${SHORTER}
request-too-large: size | The request body is not larger than the provider allows. | The body has too many bytes, mostly images and files. The limit does not depend on tokens. | ${SHORTER} Images and files in tool results stay, unless \`guard({ recovery: { shrinkMedia: true } })\` allows to replace them by a note.
rate-tier-too-small: size | One request has fewer tokens than the account may send per minute. | This single request exceeds the tokens per minute of the account, so waiting does not help. | ${SHORTER} Or ask the provider for a higher tier.
max-tokens-overflow: output-limit | The history and \`max_tokens\` together fit the context window of the model. | \`max_tokens\` is more than what the history leaves free, or more than the model can output. | The guard lowers max_tokens (or the field with this meaning) to what fits, and sends the request again.
invalid-argument-opaque: other | The request is valid. | The provider names no cause. It may be the history, its size, or a parameter. | The guard lints the request and repairs what it finds. It shrinks a valid large history once, and sends a valid small one once more.
model-tool-call-failed: model-output | The model writes tool calls that the provider can parse. | The model wrote a malformed tool call in this response. The history is not the cause. | The guard sends the same request again, once or twice.
rate-limited: retryable | Requests stay within the rate limit of the account. | The account sent too many requests or tokens in a short time. | ${WAITS}
overloaded: retryable | The provider has capacity for the request. | The servers of the provider are busy. Your account is not the cause. | ${WAITS}
server-error: retryable | The provider processes the request without an internal error. | Something failed on the side of the provider. | ${WAITS}
stream-error: retryable | A stream ends with its terminal event. | The stream ended with an error event. | ${WAITS} It does not retry after output has reached the client.
stream-truncated: retryable | A stream ends with its terminal event. | The connection closed before the terminal event. | ${WAITS} It does not retry after output has reached the client.
auth: other | The request has a valid API key with the required permissions. | The key is wrong, missing or expired, or lacks a permission. | Check key, organization and base URL. ${FATAL}
billing: other | The account has credit and quota for the request. | The credit, the quota or your own spend limit is used up. | Look at the billing page of the provider. ${FATAL}
account-policy: other | A provider that your settings allow serves the model. | Your privacy or routing settings exclude every provider of the model. | Change the settings or the model. ${FATAL}
unknown-model: other | The model exists and is available to the account. | The name is misspelled, the model is retired, or it is not available to this account or region. | Check the name. ${FATAL}
not-found: other | The URL of the request exists. | The base URL, the path or the model is wrong. | Check the URL. ${FATAL}
content-policy: other | The prompt and the response comply with the content policy of the provider. | A content filter blocked the prompt or the response. | Change the prompt. ${FATAL}
bad-parameter: other | The model supports every parameter and its value. | A parameter is unknown, or its value is out of range. | Change the parameter that the error names. ${FATAL}
parameter-conflict: other | The parameters can be combined. | Two parameters exclude each other. | Remove one of them. ${FATAL}
beta-field-without-header: other | A request with a beta field has the header of the beta, and the endpoint serves the beta. | The endpoint does not know the field without the header. | Send the header, or remove the field. ${FATAL}
tool-schema-invalid: other | Every declared tool has a schema that the provider supports. | A schema uses something that this provider does not support. | Change the declaration of the tool. ${FATAL}
tool-not-declared: other | The tool that \`tool_choice\` names is declared. | \`tool_choice\` names a tool that the request does not declare. | Declare the tool, or change tool_choice. ${FATAL}
json-mode-keyword: other | A request in JSON mode contains the word "json" in a message. | JSON mode is on and no message contains the word "json". A compaction may have removed the message that did. | Write "json" in the system prompt. ${FATAL}
cache-too-small: other | A cached prefix has at least the minimum number of tokens. | The content of an explicit cache is smaller than the minimum of the provider. | Do not create the cache. ${FATAL}
conversation-locked: retryable | One request at a time uses a conversation that the provider stores. | Another request or run of this conversation is still active. | ${ONCE} If it stays locked, end the other run.
tools-unsupported: other | The model accepts tools, or the request has none. | This model or endpoint takes no tools, and the request declares tools or has tool calls. | Use a model or an endpoint that accepts tools. ${FATAL}
document-too-many: other | A request has no more documents than the provider allows. | The documents of all turns are more than the provider allows: Bedrock allows five. | Start a new session, or remove earlier documents: each file can be sent once, and its text later. ${FATAL}
tool-calls-too-many: other | A message has no more tool calls than the provider allows. | One message of the assistant has more calls than the provider allows in a message: OpenAI allows 128. | Split the message: repeat the assistant message with the rest of the calls after the results of the first ones. The guard returns the error unchanged.
`

export const classDescriptions: Readonly<Record<string, Meaning>> = Object.fromEntries(
  rowsOf(classes).map(([name, row]) => {
    const [kind, summary = '', why = '', fix = ''] = row.split(' | ')
    return [name, { kind: kind as RejectionKind, summary, why, fix }]
  }),
)
