/** The fields that a rejection names as unknown, as paths inside a message. */

/** Keys from a message down to the field; `*` is any index of a list. */
export type FieldPath = readonly string[]

/** `messages.3.content.1.text.parsed: Extra inputs are not permitted` · `Unknown parameter: 'input[3].status'.` */
const PATHS: readonly RegExp[] = [
  /\b(?:messages|input|contents)(?:\.\d{1,7}|\[\d{1,7}\])([\w.[\]]{1,300})'?: (?:Extra inputs are not permitted|unknown field)/gi,
  /\bUnknown parameter: '?(?:input|messages)(?:\.\d{1,7}|\[\d{1,7}\])([\w.[\]]{1,300})/gi,
]
/** `Unknown name "role" at 'contents[0].parts'` */
const NAMED = /\bUnknown name \W{1,9}(\w{1,64})\W{1,9} at \W{0,9}contents\[\d{1,7}\]([\w.[\]]{0,300})/gi
/** `'messages.2' : property 'timestamp' is unsupported` */
const PROPERTY =
  /'(?:messages)(?:\.\d{1,7}|\[\d{1,7}\])([\w.[\]]{0,300})' : property '(?:[\w.]{1,100}\.)?(\w{1,64})' is unsupported/gi
/** `["body","messages",6,"assistant","tool_calls",0,"name"],"msg":"Extra inputs are not permitted` */
const LOCATED =
  /"(?:messages|input|contents)",\s?\d{1,7},([^\]]{1,300})\],"msg":"(?:Extra inputs are not permitted|unknown field)/gi

/** All fields that the texts name, each once. */
export function fieldsIn(texts: readonly string[]): readonly FieldPath[] {
  const found = new Map<string, FieldPath>()
  const add = (path: FieldPath): void => {
    if (path.length > 0 && /^[A-Za-z_]\w{0,63}$/.test(path.at(-1)!)) found.set(path.join('.'), path)
  }
  for (const text of texts) {
    for (const pattern of PATHS) for (const [, path] of text.matchAll(pattern)) add(keysIn(path!))
    for (const [, name, path] of text.matchAll(NAMED)) add([...keysIn(path!), name!])
    for (const [, path, name] of text.matchAll(PROPERTY)) add([...keysIn(path!), name!])
    for (const [, path] of text.matchAll(LOCATED)) add(keysIn(path!))
  }
  return [...found.values()]
}

function keysIn(path: string): FieldPath {
  const keys = path.match(/\w+/g) ?? []
  return keys.map((key) => (/^\d+$/.test(key) ? '*' : key))
}
