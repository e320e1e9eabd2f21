/**
 * Descriptions of rejections that belong to no rule, by class.
 */
export interface Meaning {
  readonly summary: string
  readonly why: string
  readonly fix: string
}

const FATAL = 'Nothing in the history is wrong; the guard passes the error on as it came.'
const SHORTER =
  'The guard shrinks the largest tool results and sends again. Dropping or summarising the oldest rounds is for you to switch on; `compact` does it beforehand.'
const WAITS = 'The guard waits as long as it is asked to, or a little longer each time, and sends the same bytes again.'

export const classDescriptions: Readonly<Record<string, Meaning>> = {
  'prompt-too-long': {
    summary: 'The request fits the window of the model.',
    why: 'The messages have more tokens than the model can read at once.',
    fix: SHORTER,
  },
  'request-too-large': {
    summary: 'The request is small enough to be taken in.',
    why: 'It has too many bytes, mostly images and files; tokens do not matter here.',
    fix: `${SHORTER} Images in results go only when \`shrinkMedia\` is set.`,
  },
  'rate-tier-too-small': {
    summary: 'One request is smaller than what the account may send in a minute.',
    why: 'This one request is larger than the whole budget of a minute: waiting never helps.',
    fix: `${SHORTER} Or ask the provider for a higher tier.`,
  },
  'max-tokens-overflow': {
    summary: 'The history and the answer asked for fit the model together.',
    why: 'The largest answer the request allows does not fit beside the history, or is more than the model can give.',
    fix: 'The guard lowers max_tokens (or its name in this API) to what fits, and sends again.',
  },
  'invalid-argument-opaque': {
    summary: 'The request is well formed.',
    why: 'The provider names no cause: it may be the history, its size, or a parameter.',
    fix: 'The guard lints the request and repairs what it finds; a valid large history is shrunk once, a valid small one is sent once more.',
  },
  'model-tool-call-failed': {
    summary: 'The model makes calls that its provider can read.',
    why: 'The model wrote a broken call just now. It is not in the history, and nothing there caused it.',
    fix: 'The guard sends the same request again, once or twice.',
  },
  'rate-limited': {
    summary: 'Requests come no faster than the account allows.',
    why: 'Too many requests or tokens in a short time.',
    fix: WAITS,
  },
  overloaded: {
    summary: 'The provider has room.',
    why: 'Its servers are busy; it is not about your account.',
    fix: WAITS,
  },
  'server-error': { summary: 'The provider works.', why: 'Something failed on its side.', fix: WAITS },
  'stream-error': {
    summary: 'A stream ends with its own end.',
    why: 'It broke off with an error.',
    fix: `${WAITS} Not once something of the answer has reached you.`,
  },
  'stream-truncated': {
    summary: 'A stream ends with its own end.',
    why: 'It was cut before its end came.',
    fix: `${WAITS} Not once something of the answer has reached you.`,
  },
  auth: {
    summary: 'The request carries a valid key with the right to do this.',
    why: 'The key is wrong, missing or expired, or may not use this.',
    fix: `Check key, organisation and base URL. ${FATAL}`,
  },
  billing: {
    summary: 'The account can pay for the request.',
    why: 'Credit, quota or a spend limit you set is used up.',
    fix: `Look at the provider's billing page. ${FATAL}`,
  },
  'account-policy': {
    summary: 'A provider that your settings allow serves the model.',
    why: 'Your privacy or routing settings leave none.',
    fix: `Change the settings or the model. ${FATAL}`,
  },
  'unknown-model': {
    summary: 'The model exists and is open to the account.',
    why: 'Its name is misspelt, retired, or not for this account or region.',
    fix: `Check the name. ${FATAL}`,
  },
  'not-found': {
    summary: 'The address exists.',
    why: 'Base URL, path or model is wrong.',
    fix: `Check the address. ${FATAL}`,
  },
  'content-policy': {
    summary: 'What is asked keeps to the provider’s policy.',
    why: 'A filter stopped the prompt or the answer.',
    fix: FATAL,
  },
  'bad-parameter': {
    summary: 'Every parameter is one this model takes.',
    why: 'A parameter is unknown, or its value is out of range.',
    fix: `Change the parameter the text names. ${FATAL}`,
  },
  'parameter-conflict': {
    summary: 'Parameters go together.',
    why: 'Two of them exclude each other.',
    fix: `Leave one out. ${FATAL}`,
  },
  'beta-field-without-header': {
    summary: 'A field of a beta comes with its header, where the beta is served.',
    why: 'The endpoint does not know the field.',
    fix: `Send the header, or leave the field out. ${FATAL}`,
  },
  'tool-schema-invalid': {
    summary: 'Every declared tool has a schema the provider takes.',
    why: 'A schema is outside what this provider supports.',
    fix: `Change the declaration of the tool. ${FATAL}`,
  },
  'tool-not-declared': {
    summary: 'A tool that is asked for is declared.',
    why: '`tool_choice` names a tool that the request does not declare.',
    fix: `Declare it, or change tool_choice. ${FATAL}`,
  },
  'json-mode-keyword': {
    summary: 'A request for JSON says the word.',
    why: 'JSON mode is on and no message contains the word "json"; a compaction may have removed the one that did.',
    fix: `Say "json" in the system prompt. ${FATAL}`,
  },
  'cache-too-small': {
    summary: 'What is cached is large enough.',
    why: 'An explicit cache needs a minimum of tokens.',
    fix: `Leave the cache out. ${FATAL}`,
  },
}
