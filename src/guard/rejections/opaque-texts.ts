/** Texts that name no cause. Patterns, since such a text has to match as a whole. */
const OPAQUE =
  /^(?:Request contains an invalid argument|Improperly formed request|Provider returned error|(?:<\d+> )?\S*InvalidParameter|messages 参数非法|Invalid API parameter|API 调用参数有误|Param Incorrect|Bad Request|Invalid request|invalid_request_error|INVALID_ARGUMENT|Error|ValidationException|The model returned the following errors: Error|\d{3}|)(?:[^\p{L}\d]|status code|no body|请检查文档|please check the documentation)*$/iu

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
