/**
 * Rejections that belong to no rule, with the texts that were seen. The first class that matches wins. `text` is
 * matched against texts, `code` against types, codes and statuses.
 */
import type { RejectionKind } from './types.ts'

export interface ErrorClass {
  readonly name: string
  readonly kind: RejectionKind
  readonly text?: RegExp
  readonly code?: RegExp
}

/** Classes of one kind, by name. */
function classes(
  kind: RejectionKind,
  texts: Readonly<Record<string, Omit<ErrorClass, 'name' | 'kind'>>>,
): readonly ErrorClass[] {
  return Object.entries(texts).map(([name, patterns]) => ({ name, kind, ...patterns }))
}

/** Bad output of the model: resend, do not edit. Checked before the rules, which would blame the history. */
export const modelOutput = classes('model-output', {
  'model-tool-call-failed': {
    text: /Failed to call a function\. Please adjust your prompt|See 'failed_generation'|tool call validation failed|attempted to call tool .{1,200} which was not in request|parameters for tool .{1,200} did not match schema|Model produced invalid sequence as part of ToolUse|(?:model|output) (?:generated|produced) (?:an )?(?:invalid|malformed) (?:tool|function) call/i,
    code: /^(?:tool_use_failed|MALFORMED_FUNCTION_CALL|UNEXPECTED_TOOL_CALL|MALFORMED_RESPONSE)$/i,
  },
})

/** One request exceeds the tokens per minute of the account, so waiting never helps. Checked before throttling. */
export const tierTooSmall = classes('size', {
  'rate-tier-too-small': {
    text: /Request too large for (?:model )?[\s\S]{0,200}tokens per min|extra usage[\s\S]{0,120}long context|long context[\s\S]{0,120}extra usage/i,
  },
})

/** Neither waiting nor editing helps, whatever the status: billing, keys, permissions, names. */
export const permanent = classes('other', {
  billing: {
    text: /credit balance is too low|insufficient (?:credits?|balance|funds|quota)|exceeded your current quota, please check your plan and billing|billing (?:hard |soft )?limit|payment required|spend(?:ing)? limit|requires more credits|account (?:is )?(?:suspended|deactivated|overdue|in arrears)|余额不足/i,
    code: /^(?:insufficient_quota|billing_error|billing_hard_limit_reached|insufficient_balance|insufficient_credits|402|1113)$/i,
  },
  auth: {
    text: /(?:invalid|incorrect|missing|expired|no) (?:x-)?api[- _]?key|api[- _]?key (?:not valid|is invalid|not found|expired)|authentication (?:failed|credentials|error)|\bunauthori[sz]ed\b|security token included in the request|(?:access|permission)(?: is| was)? denied|invalid (?:bearer|access|auth\w*) token|not authori[sz]ed to|does not have (?:access|permission)|OAuth token/i,
    code: /^(?:invalid_api_key|authentication_error|permission_error|permission_denied|unauthenticated|unauthorized|UnrecognizedClientException|AccessDeniedException|ExpiredTokenException|401|403)$/i,
  },
  'account-policy': {
    text: /No endpoints (?:available|found)|guardrail restrictions|data policy|region (?:is )?not supported|country, region, or territory not supported/i,
  },
  'unknown-model': {
    text: /model\b.{0,80}(?:not found|does not exist|not exist|is not supported|not available|has been (?:deprecated|retired)|no longer available)|(?:unknown|invalid|unsupported) model|not a valid model|provided model identifier is invalid|deployment .{0,60}does not exist/i,
    code: /^(?:model_not_found|DeploymentNotFound|model_not_supported)$/i,
  },
  'content-policy': {
    text: /content (?:management |filtering |usage )?policy|content[_ ]filter|safety (?:system|filters?|reasons)|usage policies|flagged (?:as|for)|violat\w{1,10} .{0,60}polic|data_inspection_failed|inappropriate content|prohibited[_ ]content|blocked by .{0,40}(?:safety|guardrail)/i,
    code: /^(?:content_policy_violation|content_filter|ResponsibleAIPolicyViolation|data_inspection_failed|sensitive|SAFETY|PROHIBITED_CONTENT|1301)$/i,
  },
})

/** Retryable: wait and send again. */
export const retryable = classes('retryable', {
  'rate-limited': {
    text: /rate[- ]?limit|too many (?:requests|tokens|concurrent)|temporarily rate|throttl|requests? limit reached|quota exceeded|exceeded your current quota|resource (?:has been )?exhausted|concurrency limit|请求过于频繁|try again (?:in|after) [\d.]+ ?(?:ms|s|m|h)/i,
    code: /^(?:rate_limit_error|rate_limit_reached_error|rate_limit_exceeded|rate_limited|too_many_requests(?:_error)?|ThrottlingException|throttling(?:Exception)?|Throttling\.\w+|RESOURCE_EXHAUSTED|429|1302|1305)$/i,
  },
  overloaded: {
    text: /\boverload|at capacity|no (?:healthy upstream|available (?:workers?|instances?|capacity))|capacity (?:constraints|exceeded)|server (?:is )?busy|currently unavailable|temporarily unavailable|model is (?:currently )?loading|unable to process your request|not ready for inference/i,
    code: /^(?:overloaded_error|engine_overloaded_error|server_is_overloaded|service_unavailable_error|overloaded|UNAVAILABLE|ServiceUnavailableException|serviceUnavailableException|provider_unavailable|ModelNotReadyException|insufficient_system_resource|529|503)$/i,
  },
  'stream-truncated': {
    text: /stream (?:closed|disconnected|ended) (?:before|prematurely|unexpectedly)|(?:unexpected|premature) (?:end of|close)|incomplete chunked read|without (?:finish_reason|message_stop|a? ?terminal)/i,
  },
  'stream-error': {
    text: /an error was encountered while running the model|disconnected unexpectedly|the server had an error processing your request|(?:connection|socket) (?:reset|closed|hang up)|ECONNRESET|upstream (?:connect error|prematurely closed|timed? ?out)|model stream (?:ended|error)/i,
    code: /^(?:modelStreamErrorException|ModelStreamErrorException|stream_error)$/i,
  },
  'server-error': {
    text: /error (?:occurred )?while processing your request|internal (?:server )?error|an internal error has occurred|unexpected error|bad gateway|gateway time-?out|service (?:is )?(?:temporarily )?unavailable|request timed out|something went wrong|please (?:retry|try again) (?:later|shortly)|timed? ?out waiting/i,
    code: /^(?:server_error|internal_server_error|internal_error|api_error|timeout_error|InternalServerException|internalServerException|ModelTimeoutException|ModelErrorException|INTERNAL|DEADLINE_EXCEEDED|500|502|504)$/i,
  },
})

/** Faults of the request outside the history. */
export const request = classes('other', {
  'beta-field-without-header': {
    text: /^(?!messages|system|tools)[a-z_]+(?:\.\w+)*: Extra inputs are not permitted/i,
  },
  'tool-schema-invalid': {
    text: /not a valid moonshot flavored json schema|mixed values for 'strict'|invalid (?:json )?schema|input_schema|schema for (?:function|tool)|tools\.\d+\.(?:custom|function|input)|Invalid '?tools\[\w+\]|function_declarations\[|JSON schema is invalid/i,
    code: /^invalid_function_parameters$/i,
  },
  'parameter-conflict': {
    text: /cannot (?:specify|use|set) both|mutually exclusive|cannot be used (?:together )?with|may not be (?:used|enabled) when/i,
  },
  'tool-not-declared': {
    text: /requested tool does not exist|tool_choice\b.{0,80}(?:not|must|unknown)|Tool choice .{0,60}not found/i,
  },
  'json-mode-keyword': { text: /must contain the word 'json'/i },
  'cache-too-small': {
    text: /minimum token count to start caching|cached content is of \d+ tokens/i,
  },
  'bad-parameter': {
    text: /unsupported (?:parameter|value)|unrecogni[sz]ed (?:request argument|parameter)|unknown (?:parameter|field|name)|(?:invalid|unexpected) (?:value for|parameter|type for)|(?<!\w)(?:temperature|top_p|top_k|max_tokens|stop|seed|n|reasoning_effort|thinking\.budget_tokens)\b.{0,60}(?:must|should|is not|may only|less than|greater than|not supported|range)|missing required parameter/i,
    code: /^(?:unsupported_parameter|unsupported_value|unknown_parameter|invalid_value|missing_required_parameter)$/i,
  },
})

const OPAQUE =
  /^(?:Request contains an invalid argument|Improperly formed request|Provider returned error|(?:<\d+> )?\S*InvalidParameter|(?:The )?messages (?:parameter is illegal|参数非法)|Invalid API parameter|API 调用参数有误|Param Incorrect|Bad Request|Invalid request|invalid_request_error|INVALID_ARGUMENT|Error|ValidationException|The model returned the following errors: Error|\d{3}|)(?:\W|status code|no body|请检查文档|please check the documentation)*$/i

/** What clients and relays put before a text, and the places in their code that Node and Python add. */
const BEFORE =
  /^(?:\W*(?:[\w.]{0,100}(?:Error|Exception)\b|Error code|[45]\d\d(?= \w)|An error occurred \(\w{1,60}\) when calling the \w{1,60} operation|The model returned the following errors)\W+)+/i
const AFTER = / at (?:async )?[\w.<>$]{1,100} \(.*$|\. Received Model Group=.*$/

/** A text without what clients and relays add to it. */
export function unwrapped(text: string): string {
  // A relay adds the brackets before it.
  const inner = text.slice(0, 2000).replace(/^(?:\s*\[[^\]]*\][:\s]*)+/, '')
  return inner.replace(AFTER, '').replace(BEFORE, '')
}

/** The text names no cause: lint of the sent body decides. */
export function isOpaque(text: string): boolean {
  if (text.length < 300 && OPAQUE.test(text)) return true
  const inner = unwrapped(text)
  return inner.length < 300 && OPAQUE.test(inner)
}
