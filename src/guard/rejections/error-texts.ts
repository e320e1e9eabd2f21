/**
 * All layers of an error body as plain texts: JSON in strings in JSON, lists, Python's notation of objects, HTML, text
 * followed by JSON. Reads the provider's texts, never what it echoes: user text must not decide the class of an error.
 */
import { isObject, type JsonObject, wordOf } from '../../core/index.ts'

export interface ErrorTexts {
  /** Texts, the innermost first, with normalized white space. */
  readonly texts: readonly string[]
  /** Types, codes and statuses of all layers. */
  readonly codes: readonly string[]
  /** Places in the request that are named next to a text. */
  readonly places: readonly string[]
  /** Lines of a program's output: they have nothing to do with each other. */
  readonly log: boolean
  /** Waiting times in fields, unparsed. */
  readonly delays: readonly string[]
  /** Texts that only lead to another one: the name of an exception, a status, the words of a relay. */
  readonly prefixes: ReadonlySet<string>
}

const CODES = /^(?:type|code|status|reason|__type|error_?type|error_?code|err_?code|finish_?reason)$/i
const PLACES = /^(?:param|field|path)$/i
const DELAYS = /^(?:retry_?delay|retry_?after|retry_?after_?seconds|reset_?after)$/i
const TEXT_KEYS =
  /^(?:message|msg|error|errors|detail|details|raw|description|title|body|response|data|text|cause|err|fault|summary|(?:error|err|exception|upstream|provider|inner|last|original)_?\w*)$/i
/** Fields in which a body echoes the request or the model's output. */
const ECHOES =
  /^(?:input|input_value|failed_generation|request|requests?_body|messages|contents|prompt|ctx|headers|choices|content|arguments|example|url|user_id|request_id|model|provider_name)$/i

/** Maximum depth of JSON in strings. */
const DEPTH = 4
/** Longer texts are a page or an echo; their meaning is at the beginning. */
const LONGEST = 8000
/** Maximum length of a code, a place or a delay. */
const LONGEST_FIELD = 400
/** Maximum number of texts, codes, places and delays of one body: each is matched against every pattern. */
const MOST = 100

interface Found {
  readonly texts: { text: string; depth: number }[]
  readonly prefixes: Set<string>
  readonly codes: string[]
  readonly places: string[]
  readonly delays: string[]
}

export function errorTextsIn(body: string): ErrorTexts {
  const found: Found = { texts: [], codes: [], places: [], delays: [], prefixes: new Set() }
  const log = isLog(body)
  if (log) readLog(body.slice(-LONGEST_BODY), found)
  else {
    const start = body.slice(0, LONGEST_BODY)
    // A body that was copied from a page: without a plain quote it is no JSON yet.
    readText(start.includes('"') ? start : plainQuotes(start), 0, found)
  }
  if (!log && found.texts.length === 0 && found.codes.length === 0 && body.trim() !== '')
    found.texts.push({ text: even(body.slice(0, LONGEST)), depth: 0 })
  const texts = found.texts.sort((a, b) => b.depth - a.depth).map(({ text }) => text)
  return { ...found, log, texts: [...new Set(texts)] }
}

const LONGEST_BODY = 100_000
/** A text with more lines, which is no document as a whole, is the output of a program. */
const LOG_LINES = 12
const REPORTED =
  /error|exception|fail|reject|invalid|unable|denied|\b(?:status|http|code)\W{0,3}[45]\d\d\b|^\W{0,9}[45]\d\d\b/i
const ROUTINE = /\b(?:INFO|DEBUG|TRACE)\b/i
/** Lines that a body in a log may have. */
const BODY_LINES = 12

function isLog(body: string): boolean {
  return (
    !/^\s*[[{"<]/.test(body.slice(0, 1000)) && body.slice(0, LONGEST_BODY).split('\n', LOG_LINES).length === LOG_LINES
  )
}

/** The last lines that report an error, with the bodies that begin there. Other lines would only add words. */
function readLog(log: string, found: Found): void {
  // The first line may be cut off.
  const lines = log.split('\n').slice(log.length < LONGEST_BODY ? 0 : 1)
  const unusual = lines.map((_, i) => i).filter((i) => !ROUTINE.test(lines[i]!.slice(0, 200)))
  const reports = unusual.filter((i) => REPORTED.test(lines[i]!.slice(0, LONGEST)))
  for (const i of (reports.length > 0 ? reports : unusual).slice(-MOST / 5).reverse()) {
    const block = lines.slice(i, i + BODY_LINES).join('\n')
    if (embedded(block.slice(0, LONGEST))) readText(block.slice(0, LONGEST), 0, found)
    else for (const end of [i + 1, i + 2]) readText(lines.slice(i, end).join(' '), 0, found)
  }
}

function readText(text: string, depth: number, found: Found): void {
  const inner = depth > DEPTH * 4 ? undefined : embedded(text)
  if (!inner) {
    push(isHtml(text) ? withoutTags(text) : text, depth, found)
    return
  }
  push(inner.before, depth, found)
  found.prefixes.add(even(inner.before))
  for (const value of inner.values) readValue(value, depth + 1, found)
}

function push(text: string, depth: number, found: Found): void {
  // The remains of a stream frame have no meaning.
  const framed = plainQuotes(text)
    .replace(/^(?:event: ?\w+\s*)?(?:data:\s*)?$/gm, '')
    // Bedrock's words before the text of a model: `model` there is not what the error is about.
    .replace(/The model returned the following errors: /gi, '')
  // Relays add text of their own: the user of the request, and when their account is available again.
  const inner = even(
    framed.replace(/\((?:request[ _]?id|reset after|trace[ _]?id)[^)]*\)?/gi, (added) => {
      const [, delay] = /reset after ([\d.]+ ?\w+)/i.exec(added) ?? []
      if (delay) keep(found.delays, delay)
      return ''
    }),
  )
  if (inner !== '' && found.texts.length < MOST) found.texts.push({ text: inner.slice(0, LONGEST), depth })
}

function keep(list: string[], value: unknown): void {
  if (list.length < MOST) list.push(String(value).slice(0, LONGEST_FIELD))
}

function readValue(value: unknown, depth: number, found: Found): void {
  if (typeof value === 'string') readText(value, depth, found)
  else if (Array.isArray(value)) readList(value, depth, found)
  else if (isObject(value) && depth < 40) readObject(value, depth, found)
}

/** Lists inside lists inside lists have no texts of errors. */
function readList(list: readonly unknown[], depth: number, found: Found): void {
  for (const one of list.slice(0, 50).flat(2)) if (!Array.isArray(one)) readValue(one, depth, found)
}

function readObject(object: JsonObject, depth: number, found: Found): void {
  for (const [key, value] of Object.entries(object)) {
    if (ECHOES.test(key) || value === null || value === undefined) continue
    const plain = typeof value === 'string' || typeof value === 'number'
    if (plain && CODES.test(key)) keep(found.codes, value)
    else if (plain && DELAYS.test(key)) keep(found.delays, value)
    else if (plain && PLACES.test(key)) {
      keep(found.places, value)
      // If the text has no meaning, the place may be a sentence (MiMo).
      if (String(value).includes(' ')) push(String(value), depth, found)
    } else if (typeof value === 'string') {
      if (TEXT_KEYS.test(key) || embedded(value)) readText(value, depth, found)
    } else readValue(value, depth + 1, found)
  }
  readLocated(object, depth, found)
}

/**
 * Schema errors name the place separately: `{ loc: ["body", "messages", 2, ...], msg }`. Joined into one text, as the
 * patterns of the rules expect.
 */
function readLocated({ loc, msg }: JsonObject, depth: number, found: Found): void {
  if (!Array.isArray(loc) || typeof msg !== 'string') return
  const place = loc.slice(0, MOST).map((step) => (typeof step === 'number' ? step : wordOf(step)))
  keep(found.places, place.join('.'))
  if (!embedded(msg)) push(`${JSON.stringify(place)},"msg":"${msg}"`, depth, found)
}

/** Values written inside a text, and what precedes them. */
function embedded(text: string): { before: string; values: unknown[] } | undefined {
  const whole = parse(text.trim())
  if (whole !== undefined) return { before: '', values: [whole] }
  const start = text.search(/[{[]\s*["'{\\]/)
  if (start < 0) return undefined
  const values = valuesFrom(text.slice(start))
  return values.length > 0 ? { before: text.slice(0, start), values } : undefined
}

function valuesFrom(text: string): unknown[] {
  const end = closing(text)
  const piece = text.slice(0, end ?? text.length)
  const value = parse(piece) ?? parse(isPython(piece) ? asJson(piece) : '') ?? parse(piece.replaceAll('\\"', '"'))
  if (isObject(value) || Array.isArray(value)) {
    // Some write one error in several values, one per line.
    const rest = end === undefined ? undefined : embedded(text.slice(end, end + 20_000))
    return [value, ...(rest?.values ?? [])]
  }
  return fields(piece)
}

/** Text that is cut off or not quite JSON: the fields that can be recognized. */
function fields(text: string): unknown[] {
  const found: Record<string, unknown>[] = []
  for (const [, loc, msg] of text.matchAll(/"loc"\s*:\s*(\[[^\]]{0,400}\])\s*,\s*"msg"\s*:\s*"((?:[^"\\]|\\.)*)/g))
    found.push({ loc: parse(loc!), msg })
  for (const [, key, value] of text.matchAll(/["'](\w+)\\*["']\s*:\s*\\*"((?:[^"\\]|\\.)*)/g)) {
    if (!ECHOES.test(key!)) found.push({ [key!]: unescaped(value!) })
  }
  return found
}

/** Removes escapes of quotes and line ends, however often they were escaped. */
function unescaped(text: string): string {
  return text.replace(/\\+(["'n]?)/g, (run, next: string) => (next === 'n' ? ' ' : next === '' ? run : next))
}

/** The index after the bracket that closes the first one; undefined: it is not closed. */
function closing(text: string): number | undefined {
  let open = 0
  let quote = ''
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!
    if (quote !== '') {
      if (char === '\\') i++
      else if (char === quote) quote = ''
    } else if (char === '"' || (char === "'" && /[\s{[(,:]/.test(text[i - 1] ?? ' '))) quote = char
    else if (char === '{' || char === '[') open++
    else if ((char === '}' || char === ']') && --open === 0) return i + 1
  }
  return undefined
}

/** Long texts are skipped: a quote that is never closed would be searched again and again. */
function isPython(text: string): boolean {
  return text.length < 10_000 && /[{[:,]\s*'/.test(text)
}

/** Python writes objects with single quotes, None, True and False. */
function asJson(text: string): string {
  return text.replace(
    // An unclosed quote takes the rest, so that no later one is tried again.
    /'((?:[^'\\]|\\[\s\S])*)(?:'|\\?$)|"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|\b(None|True|False)\b/g,
    (whole, quoted: string | undefined, word: string | undefined) => {
      if (word !== undefined) return word === 'None' ? 'null' : word.toLowerCase()
      if (quoted === undefined) return whole
      return `"${quoted.replaceAll("\\'", "'").replace(/\\.|"/g, (one) => (one === '"' ? '\\"' : one))}"`
    },
  )
}

function parse(text: string): unknown {
  if (!/^[[{"]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&#34;': '"',
  '&#39;': "'",
  '&apos;': "'",
  '&#96;': '`',
}

/** Quotes as providers write them, where a page, a chat or a word processor has changed them. */
function plainQuotes(text: string): string {
  return text
    .replace(/&(?:quot|apos|#34|#39|#96);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
}

/** The text of an HTML page: without tags, and without closed scripts and styles. */
function withoutTags(text: string): string {
  const pieces = text.split(/<\/(?:script|style)>/i)
  const last = pieces.pop()!
  const shown = pieces.map((piece) => {
    const at = piece.search(/<(?:script|style)/i)
    return at < 0 ? piece : piece.slice(0, at)
  })
  return [...shown, last].join(' ').replace(/<[^>]{1,400}>/g, ' ')
}

function isHtml(text: string): boolean {
  return /<(?:!doctype|html|head|body|title|h1)\b/i.test(text)
}

function even(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
