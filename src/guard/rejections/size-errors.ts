/** Rejections because of size: the size of the request and the limit, in the providers' texts. */
import type { Rejection } from './types.ts'

type Sized = Pick<Rejection, 'kind' | 'limit' | 'actual' | 'output'> & { readonly rule: string }

/** Too long, but not too many tokens: ids, names, lists, pages and images have limits of their own. */
const NOT_SIZE =
  /string too long|array too long|PDF pages|image exceeds|image dimensions|Member must have length|name .{0,40}too long/i

/** Bounded: an endless run of digits would be tried from each of its positions. */
const N = '\\d{1,3}(?:[,_]\\d{3}){1,5}|\\d{1,15}'

/** `requested`: the requested output. `output`: the largest possible one. `over`: tokens above the limit. */
type Numbers = { [name in 'limit' | 'input' | 'requested' | 'actual' | 'output' | 'over']?: number }

/** `#limit`: a number, in a group of this name. */
function wording(pattern: string): RegExp {
  return new RegExp(pattern.replace(/#([a-z]+)/g, `(?<$1>${N})`), 'i')
}

/** The requested output does not fit. */
const answers = [
  'input length and \\W?max_tokens\\W? exceed context limit: #input ?\\+ ?#requested ?> ?#limit(?!\\d)',
  'maximum context length is #limit tokens\\b.{0,40}you requested #actual tokens \\(#input (?:in|of) (?:the |your )?(?:messages|prompt|text input|input)[^,)]{0,80}, #requested (?:in|for|of) the (?:completion|output)',
  "max_?(?:completion_?|output_?)?tokens\\W.{0,40}is too large: #requested\\. This model's maximum context length is #limit tokens and your request has #input input tokens",
  'max_tokens: #requested ?> ?#output, which is the maximum allowed number of output tokens',
  'max_?(?:completion_?|output_?)?tokens\\W{0,3} is too large: #requested\\. This model supports at most #output (?:completion|output) tokens',
  'max_?(?:completion_?|output_?)?tokens\\W{0,3}(?: value)?[^.]{0,80}(?:range|between|should be)[^.]{0,40}\\[?\\b1\\b[^\\d]{1,20}#output(?!\\d)',
  "max_?(?:completion_?|output_?)?tokens\\W{0,3} (?:must|should|cannot|can't) .{0,40}(?:less than or equal to|at most|exceed|not be greater than|be larger than) `?#output`?(?!\\d)",
  'maximum tokens you requested exceeds the model limit of #output(?!\\d)',
].map(wording)

/** Gemini's limit is the first number that is too large. */
const EXCLUSIVE = /\(inclusive\) to [\d,]{1,20} \(exclusive\)/i

const bytes =
  /request_too_large|request (?:payload|body|content|entity)?\s?(?:size )?(?:is )?(?:exceeds the (?:maximum|limit|max)|too large|exceeds (?:the )?(?:maximum )?(?:allowed )?size)|payload (?:size )?(?:is )?(?:too large|exceeds)|entity too large|body (?:is )?too large|content length (?:limit|exceeded)|exceeds the maximum size/i

const tokens =
  /prompt is too long|prompt too long|input is too long|(?:prompt|input|request|message|conversation|history|context|query)s? (?:(?:is|are|was|has become) )?(?:too long|too large for (?:the )?model)|(?:maximum|max|available) (?:model )?(?:context|prompt|input|sequence)[ _]?(?:length|size|window|tokens?)|context[ _-]?(?:length|window|size|limit)[^.]{0,60}(?:exceed|overflow|too (?:long|small))|exceed[^.]{0,80}context[ _-]?(?:length|window|size|limit)|context_length_exceeded|max_prompt_tokens_exceeded|context_window_exceeded|token (?:count|limit|length)s?\b[^.]{0,80}exceed|tokens?\b[^.]{0,60}exceeds?\b|exceed\w{0,10}[^.]{0,60}\btokens?\b|Range of input length should be|reduce the length of (?:the |your |either )|tokens to keep from the initial prompt|Prompt (?:contains|has) [\d,]{1,20} tokens|Input length \(?[\d,]{1,20}\)? (?:\([^)]{0,80}\) )?exceeds|longer than the model's (?:maximum )?context|max_tokens must be at least 1, got -|larger than the (?:maximum )?(?:context|input)|too many (?:input )?tokens in|请求.{0,20}(?:过长|超过)|上下文.{0,12}(?:超|过长)/i

/** Pairs of numbers: actual size and limit. */
const pairs = [
  '#actual tokens ?> ?#limit (?:tokens )?max',
  '(?:prompt|input|context) length is #limit (?:tokens )?but (?:the request contains|you requested|got) #actual ?tokens',
  '(?:length|limit|size)(?: \\w+)? (?:is|of) #limit ?tokens\\b.{0,80}(?:resulted in|requested(?: about)?|has|contains|prompt of|got) #actual (?:input |prompt )?tokens',
  '(?:count|prompt|input|length|tokens) ?(?:of|contains|has|is)? ?\\(?#actual\\)?(?: tokens?\\)?)?,?\\)? (?:exceeds?|is (?:longer|larger|greater) than|too large for|but the configured)[^\\d]{0,80}\\(?#limit(?!\\d)',
  'token limit: #limit \\(requested: #actual\\)',
  'Limit #limit, (?:Used [\\d,_]{1,20}, )?Requested #actual(?!\\d)',
  'exceeded (?:the )?max\\w{0,10} context length by #over tokens',
  'input length should be \\[\\d{1,15}, ?#limit\\]',
  '(?:maximum|limit|window|max)[^\\d]{0,60}\\(?#limit\\)?(?: tokens|\\)|$|\\.)',
].map(wording)

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

/** The numbers of the first wording that matches, by name. */
function firstMatch(wordings: readonly RegExp[], text: string): Numbers | undefined {
  for (const wording of wordings) {
    const groups = wording.exec(text)?.groups
    if (groups) return Object.fromEntries(Object.entries(groups).map(([name, number]) => [name, numberFrom(number)]))
  }
  return undefined
}

function numberFrom(number: string): number {
  return Number(number.replace(/[^\d]/g, ''))
}
