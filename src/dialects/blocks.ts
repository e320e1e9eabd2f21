/** What dialects with a list of blocks in each message have in common. */
import { isObject, type JsonObject, jsonText, looseText, own, Part } from '../core/index.ts'

/** An id or a name; undefined unless it is a text that is not empty. */
export function word(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A value as text, for a note: strings as they are, the rest as JSON. Never throws on cycles or depth. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  try {
    return jsonText(value) ?? ''
  } catch {
    // Not String(value) for objects: that recurses into nested arrays itself.
    return typeof value === 'object' ? '(cannot be shown)' : String(value)
  }
}

/** The joined texts of a list of blocks, and the blocks that are not text, which are media. */
export function splitContent(
  content: unknown,
  textIn: (block: JsonObject) => string | undefined,
): { text: string; media: readonly unknown[] } {
  if (!Array.isArray(content)) return { text: textOf(content), media: [] }
  const texts: string[] = []
  const media: unknown[] = []
  for (const block of content) {
    const text = typeof block === 'string' ? block : isObject(block) ? textIn(block) : textOf(block)
    if (text === undefined) media.push(block)
    else texts.push(text)
  }
  return { text: texts.join('\n'), media }
}

/** Reads each block of a content. A text is one part. */
export function readContent(
  content: unknown,
  list: readonly string[],
  message: number,
  parts: Part[],
  readBlock: (block: unknown, message: number, index: number, list: readonly string[]) => Part,
): void {
  if (typeof content === 'string') parts.push(new Part('text', 'text', message, list, -1, content, content))
  else if (Array.isArray(content))
    for (let i = 0; i < content.length; i++) parts.push(readBlock(content[i], message, i, list))
}

export function textBlock(text: string): JsonObject {
  return { type: 'text', text }
}

/** The blocks of a content. A text becomes one block. */
export function blocksOf(content: unknown, block: (text: string) => unknown = textBlock): readonly unknown[] {
  if (Array.isArray(content)) return content
  return typeof content === 'string' && content !== '' ? [block(content)] : []
}

/** One of Anthropic's blocks of reasoning. */
export function isThinking(block: unknown): boolean {
  const type = own(block, 'type')
  return type === 'thinking' || type === 'redacted_thinking'
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

/** Whether a content is missing or empty. */
export function isNothing(content: unknown): boolean {
  return content === undefined || content === null || content === '' || isEmptyList(content)
}

/** Two contents as one: two texts as paragraphs, others as blocks. */
export function joined(
  first: unknown,
  second: unknown,
  block: (text: string) => unknown = textBlock,
  isNone = isNothing,
): unknown {
  if (isNone(first)) return second
  if (isNone(second)) return first
  if (typeof first === 'string' && typeof second === 'string') return first + '\n\n' + second
  return [first, second].flatMap((content) => (Array.isArray(content) ? content : [block(textOf(content))]))
}

/** Keys under which dialects and SDKs keep the text of a message. */
const TEXT_KEYS = ['content', 'parts', 'text', 'message', 'body', 'value', 'output', 'result']

/** The text of a message under the key of another dialect, if the message has nothing under this key. */
export function textUnderOtherKey(here: string): (message: unknown) => { key: string; text: string } | undefined {
  return (message) => {
    if (!isObject(message) || (message[here] !== undefined && message[here] !== null)) return undefined
    for (const key of TEXT_KEYS) {
      const text = key === here ? '' : looseText(message[key])
      if (text.trim() !== '') return { key, text }
    }
    return undefined
  }
}

/** The native value of a part as a block; a text becomes a block. */
export function nativeBlock({ value }: Part, block: (text: string) => unknown = textBlock): unknown {
  return typeof value === 'string' ? block(value) : value
}
