/** Rejections because of size: the size of the request and the limit. Patterns, since numbers have to be read. */
import type { Rejection } from './types.ts'

type Sized = Pick<Rejection, 'kind' | 'limit' | 'actual' | 'output'> & { readonly rule: string }

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

/** The size that a text about size reports. */
export function sizeIn(rule: string, text: string): Sized {
  if (rule === 'request-too-large') return { kind: 'size', rule }
  const answer = answerIn(text)
  if (answer) return answer
  return { kind: rule === 'max-tokens-overflow' ? 'output-limit' : 'size', rule, ...numbersIn(text) }
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
function numbersIn(text: string): { limit?: number; actual?: number } {
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
