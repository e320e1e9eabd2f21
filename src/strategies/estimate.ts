/**
 * How many tokens a text has, without a tokenizer: runs of characters by class, weighed. The weights were fitted to
 * o200k on prose, code, JSON, thirteen languages and recorded conversations; `bench/compact.ts` measures them.
 * The runs are found with a table of states, one look-up a character: branches on what the next character is cost more
 * than all the rest.
 */
import { checkValue } from '../core/options.ts'

/** Tokens of a text. A real tokenizer can be used as well. */
export type Estimate = (text: string) => number

/** Texts up to this length are counted completely; of longer ones blocks that are spread over them. */
const WHOLE = 192
const BLOCK = 40
/** A block begins and ends between words, if a word ends within this many characters. */
const MOST = 32

/** Weights of states, in the order of their creation; the first is the state before a text. */
const weights: number[] = [0]
const next = new Uint8Array(64 * 128)

type Kind = 'lower' | 'upper' | 'digit' | 'space' | 'line' | 'punct'

function state(weight: number): number {
  weights.push(weight)
  return weights.length - 1
}

/** States in a row; the last one repeats itself. */
function chain(...steps: readonly number[]): readonly number[] {
  return steps.map(state)
}

// A longer word costs more; a short run right after a letter or a digit is a fragment that no vocabulary contains.
const word = chain(0.61, 0, 0, 0.45, 0, 0, 0, 0.44, 0, 0, 0, 0.5, 0.45)
const piece = chain(1.5, 0, 0, -0.44)
// A capital letter begins a word; several are an abbreviation.
const capitals = { open: chain(0.61, -0.05), tight: chain(1.5, -0.94), digit: chain(1.5, 0.16) }
const capital = state(0.2)
const digits = chain(1.1, 0, 0)
const spaces = chain(0, 0.14, 0)
const lines = chain(1, 0)
const signs = chain(0.85, 0.15)
/** After letters of other alphabets, and after characters of other scripts. */
const LETTER = state(0)
const SIGN = state(0)

for (let from = 0; from < weights.length; from++)
  for (let code = 0; code < 128; code++) next[(from << 7) | code] = follow(from, kindOf(String.fromCharCode(code)))
const weight = Float64Array.from(weights)

function kindOf(char: string): Kind {
  if (char >= 'a' && char <= 'z') return 'lower'
  if (char >= 'A' && char <= 'Z') return 'upper'
  if (char >= '0' && char <= '9') return 'digit'
  if (char === ' ' || char === '\t') return 'space'
  return char === '\n' || char === '\r' ? 'line' : 'punct'
}

/** The state after another, for a character of this class. */
function follow(from: number, kind: Kind): number {
  const goesOn = within(from, kind)
  if (goesOn !== undefined) return goesOn
  const before = digits.includes(from) ? 'digit' : isOpen(from) ? 'open' : 'tight'
  if (kind === 'lower') return before === 'open' ? word[0]! : piece[0]!
  if (kind === 'upper') return capitals[before][0]!
  return { digit: digits, space: spaces, line: lines, punct: signs }[kind][0]!
}

/** The next state of the run that this one is in. */
function within(from: number, kind: Kind): number | undefined {
  if (kind === 'lower') {
    if (from === capitals.open[0]) return word[1]
    if (from === capitals.tight[0] || from === capitals.digit[0]) return piece[1]
    return from === piece[3] ? word[4] : (step(piece, from) ?? step(word, from))
  }
  if (kind === 'upper') {
    const first = Object.values(capitals).find(([one]) => one === from)
    return first
      ? first[1]
      : Object.values(capitals).some(([, two]) => two === from) || from === capital
        ? capital
        : undefined
  }
  // Three digits are a token.
  if (kind === 'digit') return from === digits[2] ? digits[0] : step(digits, from)
  return step({ space: spaces, line: lines, punct: signs }[kind], from)
}

function step(run: readonly number[], from: number): number | undefined {
  const at = run.indexOf(from)
  return at < 0 ? undefined : run[Math.min(at + 1, run.length - 1)]
}

function isOpen(from: number): boolean {
  return from === 0 || from === SIGN || spaces.includes(from) || signs.includes(from)
}

/** Tokens of a text, within a tenth of o200k's count for a page of text. */
export function estimateTokens(text: string): number {
  if (typeof text !== 'string') checkValue('The text to estimate', text, 'string')
  const { length } = text
  if (length <= WHOLE) return Math.ceil(weigh(text, 0, length))
  // The longer the text, the smaller the share that is counted; and it is never only the beginning.
  const blocks = 2 + (length >> 9)
  const stride = (length - BLOCK) / (blocks - 1)
  let sum = 0
  let seen = 0
  for (let i = 0; i < blocks; i++) {
    const from = i === 0 ? 0 : gapAfter(text, Math.floor(i * stride))
    const to = gapAfter(text, from + BLOCK)
    sum += weigh(text, from, to)
    seen += to - from
  }
  return Math.ceil((sum / seen) * length)
}

/** The next position between words, so that no word is counted twice; if there is none nearby, this position. */
function gapAfter(text: string, at: number): number {
  const end = Math.min(at + MOST, text.length)
  for (let i = at; i < end; i++) if (text.charCodeAt(i) <= 32) return i
  return Math.min(at, text.length)
}

function weigh(text: string, from: number, to: number): number {
  let sum = 0
  let at = 0
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i)
    if (code < 128) {
      at = next[(at << 7) | code]!
      sum += weight[at]!
    } else {
      sum += foreign(code)
      at = code < 0x2000 ? LETTER : SIGN
    }
  }
  return sum
}

/** Characters of traditional Chinese that differ in the simplified script: texts with them need more tokens. */
const traditional: ReadonlySet<number> = new Set(
  Array.from(
    '這個們時來對說會過還國學後樣現發開問沒話為麼應該將與數據類變設無產實際當從經關於動進種處結構檢繼錯誤參運並項組單傳員選擇僅屬匯輸預擴轉檔碼啟標記陣',
    (char) => char.charCodeAt(0),
  ),
)

function foreign(code: number): number {
  if (code >= 0x4e00 && code <= 0x9fff) return traditional.has(code) ? 1.4 : 0.69
  if (code >= 0x3040 && code < 0x3100) return 0.65
  if (code >= 0xac00 && code < 0xd7b0) return 0.67
  if (code >= 0xd800 && code < 0xe000) return 0.8
  if ((code >= 0x2000 && code < 0x3040) || code >= 0xfe00) return 1
  return code >= 0x3100 && code < 0xfb00 ? 0.9 : 0.26
}
