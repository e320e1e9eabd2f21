/**
 * Whether a value of unknown form has text that a model may read.
 */
import { isObject } from '../core/index.ts'

/** Fields that describe a record: no model reads them. */
const ABOUT =
  /^(type|kind|pad|theme|cwd|slug|branch|status|state|mode|level|reason|error|model|provider|version|hash|signature|ids?|uuid|.*(Id|ID|_id|Uuid|_uuid|[tT]ime|[tT]imestamp|At|_at|[dD]ate|[pP]ath|[dD]ir|[dD]irectory|[uU]rl|[tT]itle|[nN]ame|Version))$/
/** Fields whose texts are content, however short they are. */
const CONTENT =
  /^(content|text|messages?|parts|body|input|output|result|arguments|args|prompt|response|reply|answer|delta)$/
const MOST_VALUES = 2000

/** Whether some text in a value of unknown form may be read by a model. Its fields that only describe it do not count. */
export function carriesText(value: unknown): boolean {
  const stack: [key: string, value: unknown][] = [['', value]]
  for (let seen = 0; stack.length > 0 && seen < MOST_VALUES; seen++) {
    const [key, one] = stack.pop()!
    if (typeof one === 'string' && isContent(key, one)) return true
    if (Array.isArray(one)) for (const inner of one) stack.push([key, inner])
    else if (isObject(one))
      for (const inner of Object.keys(one)) if (!ABOUT.test(inner)) stack.push([inner, one[inner]])
  }
  // Too large to be looked through: large values are content.
  return stack.length > 0
}

/** Whether a value has a list of objects with text anywhere in it, as every history is one. */
export function hasListOfTexts(value: unknown): boolean {
  const stack = [value]
  for (let seen = 0; stack.length > 0 && seen < MOST_VALUES; seen++) {
    const one = stack.pop()
    if (Array.isArray(one) && one.filter((inner) => isObject(inner) && carriesText(inner)).length > 1) return true
    if (typeof one === 'object' && one !== null) stack.push(...Object.values(one).slice(0, MOST_VALUES))
  }
  return stack.length > 0
}

function isContent(key: string, text: string): boolean {
  return /\S\s+\S/.test(text) || (CONTENT.test(key) && text.trim() !== '')
}
