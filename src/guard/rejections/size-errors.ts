/**
 * Rejections because of size: the size of the request and the limit, in the providers' texts.
 */
import type { Rejection } from './types.ts'

type Sized = Pick<Rejection, 'kind' | 'limit' | 'actual' | 'output'> & { readonly rule: string }

/** Too long, but not too many tokens: ids, names, lists, pages and images have limits of their own. */
const NOT_SIZE =
  /string too long|array too long|PDF pages|image exceeds|image dimensions|Member must have length|name .{0,40}too long/i

/** Bounded: an endless run of digits would be tried from each of its positions. */
const N = '(\\d{1,3}(?:[,_]\\d{3}){1,5}|\\d{1,15})'

/** `requested`: the requested output. `output`: the largest possible one. `over`: tokens above the limit. */
type Numbers = { [name in 'limit' | 'input' | 'requested' | 'actual' | 'output' | 'over']?: number }

interface Wording {
  readonly text: RegExp
  /** The name of each group. */
  readonly groups: readonly (keyof Numbers)[]
}

/** `#`: a number, of one group each. */
function wording(pattern: string, groups: Wording['groups']): Wording {
  return { text: new RegExp(pattern.replaceAll('#', N), 'i'), groups }
}

/** The requested output does not fit. */
const answers: readonly Wording[] = [
  wording('input length and \\W?max_tokens\\W? exceed context limit: # ?\\+ ?# ?> ?#(?!\\d)', [
    'input',
    'requested',
    'limit',
  ]),
  wording(
    'maximum context length is # tokens\\b.{0,40}you requested # tokens \\(# (?:in|of) (?:the |your )?(?:messages|prompt|text input|input)[^,)]{0,80}, # (?:in|for|of) the (?:completion|output)',
    ['limit', 'actual', 'input', 'requested'],
  ),
  wording(
    "max_?(?:completion_?|output_?)?tokens\\W.{0,40}is too large: #\\. This model's maximum context length is # tokens and your request has # input tokens",
    ['requested', 'limit', 'input'],
  ),
  wording('max_tokens: # ?> ?#, which is the maximum allowed number of output tokens', ['requested', 'output']),
  wording(
    'max_?(?:completion_?|output_?)?tokens\\W{0,3} is too large: #\\. This model supports at most # (?:completion|output) tokens',
    ['requested', 'output'],
  ),
  wording(
    'max_?(?:completion_?|output_?)?tokens\\W{0,3}(?: value)?[^.]{0,80}(?:range|between|should be)[^.]{0,40}\\[?\\b1\\b[^\\d]{1,20}#(?!\\d)',
    ['output'],
  ),
  wording(
    "max_?(?:completion_?|output_?)?tokens\\W{0,3} (?:must|should|cannot|can't) .{0,40}(?:less than or equal to|at most|exceed|not be greater than|be larger than) `?#`?(?!\\d)",
    ['output'],
  ),
  wording('maximum tokens you requested exceeds the model limit of #(?!\\d)', ['output']),
]

/** Gemini's limit is the first number that is too large. */
const EXCLUSIVE = /\(inclusive\) to [\d,]{1,20} \(exclusive\)/i

const bytes =
  /request_too_large|request (?:payload|body|content|entity)?\s?(?:size )?(?:is )?(?:exceeds the (?:maximum|limit|max)|too large|exceeds (?:the )?(?:maximum )?(?:allowed )?size)|payload (?:size )?(?:is )?(?:too large|exceeds)|entity too large|body (?:is )?too large|content length (?:limit|exceeded)|exceeds the maximum size/i

const tokens =
  /prompt is too long|prompt too long|input is too long|(?:prompt|input|request|message|conversation|history|context|query)s? (?:(?:is|are|was|has become) )?(?:too long|too large for (?:the )?model)|(?:maximum|max|available) (?:model )?(?:context|prompt|input|sequence)[ _]?(?:length|size|window|tokens?)|context[ _-]?(?:length|window|size|limit)[^.]{0,60}(?:exceed|overflow|too (?:long|small))|exceed[^.]{0,80}context[ _-]?(?:length|window|size|limit)|context_length_exceeded|max_prompt_tokens_exceeded|context_window_exceeded|token (?:count|limit|length)s?\b[^.]{0,80}exceed|tokens?\b[^.]{0,60}exceeds?\b|exceed\w{0,10}[^.]{0,60}\btokens?\b|Range of input length should be|reduce the length of (?:the |your |either )|tokens to keep from the initial prompt|Prompt (?:contains|has) [\d,]{1,20} tokens|Input length \(?[\d,]{1,20}\)? (?:\([^)]{0,80}\) )?exceeds|longer than the model's (?:maximum )?context|max_tokens must be at least 1, got -|larger than the (?:maximum )?(?:context|input)|too many (?:input )?tokens in|请求.{0,20}(?:过长|超过)|上下文.{0,12}(?:超|过长)/i

/** Pairs of numbers: actual size and limit. */
const pairs: readonly Wording[] = [
  wording('# tokens ?> ?# (?:tokens )?max', ['actual', 'limit']),
  wording('(?:prompt|input|context) length is # (?:tokens )?but (?:the request contains|you requested|got) # ?tokens', [
    'limit',
    'actual',
  ]),
  wording(
    '(?:length|limit|size)(?: \\w+)? (?:is|of) # ?tokens\\b.{0,80}(?:resulted in|requested(?: about)?|has|contains|prompt of|got) # (?:input |prompt )?tokens',
    ['limit', 'actual'],
  ),
  wording(
    '(?:count|prompt|input|length|tokens) ?(?:of|contains|has|is)? ?\\(?#\\)?(?: tokens?\\)?)?,?\\)? (?:exceeds?|is (?:longer|larger|greater) than|too large for|but the configured)[^\\d]{0,80}\\(?#(?!\\d)',
    ['actual', 'limit'],
  ),
  wording('token limit: # \\(requested: #\\)', ['limit', 'actual']),
  wording('Limit #, (?:Used #, )?Requested #(?!\\d)', ['limit', 'actual', 'actual']),
  wording('exceeded (?:the )?max\\w{0,10} context length by # tokens', ['over']),
  wording('input length should be \\[\\d{1,15}, ?#\\]', ['limit']),
  wording('(?:maximum|limit|window|max)[^\\d]{0,60}\\(?#\\)?(?: tokens|\\)|$|\\.)', ['limit']),
]

/** The size in a text; undefined: it is not about size. */
export function sizeIn(text: string, codes: readonly string[]): Sized | undefined {
  if (NOT_SIZE.test(text)) return undefined
  const answer = answerIn(text)
  if (answer) return answer
  const coded = codes.some((code) => tokens.test(code))
  if (tokens.test(text) || coded) return { kind: 'size', rule: 'prompt-too-long', ...numbersIn(text) }
  if (bytes.test(text) || codes.some((code) => bytes.test(code))) return { kind: 'size', rule: 'request-too-large' }
  return undefined
}

function answerIn(text: string): Sized | undefined {
  const about = { kind: 'output-limit', rule: 'max-tokens-overflow' } as const
  // A service that subtracts the requested output from the limit it reports (vLLM).
  if (/parameter=input_tokens/.test(text)) return { ...about, ...numbersIn(text) }
  const { limit, input, requested = 0, output } = firstMatch(answers, text) ?? {}
  if (output !== undefined) return { ...about, output: EXCLUSIVE.test(text) ? output - 1 : output }
  if (limit === undefined || input === undefined) return undefined
  // The history alone does not fit: a shorter output would not help.
  if (input >= limit) return { kind: 'size', rule: 'prompt-too-long', limit, actual: input }
  return { ...about, limit, actual: input + requested, output: limit - input }
}

/** Limit and actual size, as far as the text says. */
export function numbersIn(text: string): { limit?: number; actual?: number } {
  const { over, ...found } = firstMatch(pairs, text) ?? {}
  // Only the overflow is known: the difference counts.
  return over === undefined ? found : { limit: 0, actual: over }
}

/** The numbers of the first wording that matches, by the names of its groups. */
function firstMatch(wordings: readonly Wording[], text: string): Numbers | undefined {
  for (const { text: pattern, groups } of wordings) {
    const match = pattern.exec(text)
    if (!match) continue
    const found: Numbers = {}
    groups.forEach((name, i) => {
      const read = value(match[i + 1])
      if (read !== undefined) found[name] = read
    })
    return found
  }
  return undefined
}

function value(text: string | undefined): number | undefined {
  const digits = text?.replace(/[^\d]/g, '')
  return digits ? Number(digits) : undefined
}
