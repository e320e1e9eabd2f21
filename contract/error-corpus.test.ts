import { describe, expect, it } from 'vitest'
import { type Endpoint, judge } from './judge.ts'
import { tables } from './testing/cases/index.ts'
import { type ErrorEntry, errorEntries } from './testing/corpus.ts'

const PROVIDER = 'only the provider knows: it remembers what it sent and stored'
const SINGLE = 'a single report (S) never rejects'
const ELSEWHERE = 'said by a program or a provider that has no judge here'
const OLDER = 'an older wording: the judge says the newer one'

/** Texts that no request provokes, with the reason. */
const NOT_PROVOKED: readonly (readonly [RegExp, string])[] = [
  [/blocks in the latest assistant message cannot be modified/, PROVIDER],
  [/bound to a different conversation/, PROVIDER],
  [/without its required 'reasoning' item/, PROVIDER],
  [/Previous response with id .* not found|Invalid `?previous_response_id`?/, PROVIDER],
  [/encrypted content for item .* could not be verified/, PROVIDER],
  [/PDF pages/, 'the pages are not counted'],
  [/exceeds the dimension limit for many-image requests \(2000px\)/, ELSEWHERE],
  [/Conversation blocks and tool use blocks cannot/, SINGLE],
  [/cannot be empty when status value is error/, SINGLE],
  [/text block must be included when using documents/, SINGLE],
  [/function_response\.parts`? is not supported/, SINGLE],
  [/contains an invalid part type/, SINGLE],
  [/Improperly formed request/, ELSEWHERE],
  [/^invalid request: An assistant message with 'tool_calls'/, ELSEWHERE],
  [
    /Tool results are missing for tool calls|ToolInvocation must have a result|Found AIMessages with tool_calls/,
    ELSEWHERE,
  ],
  [/Assistant message uses tools, but tools are not declared/, ELSEWHERE],
  [/messages\[\d+\]: missing field `content`/, ELSEWHERE],
  [/user and assistant roles should be alternating|Param Incorrect/, ELSEWHERE],
  [/Did not find \d+ `?tool_result`? block/, OLDER],
  [/content block is missing a `thought_signature`|RoleEnum\.tool/, OLDER],
  [
    /tool_use\.caller: Extra inputs/,
    'recorded as accepted (docs/rejections.md#accepted-anthropic); other fields are rejected with this text',
  ],
  [
    /Unexpected role 'user' after role 'tool'/,
    'disputed, and recorded as accepted (docs/rejections.md#accepted-mistral)',
  ],
  [/\*\*\*\.content\.\d+: Invalid `signature`/, 'the relay hides the place; the text is provoked without it'],
]

const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  'anthropic-messages': 'messages',
  'bedrock-invoke': 'messages',
  'openai-chat': 'chat',
  mistral: 'chat',
  'openai-responses': 'responses',
  gemini: 'gemini',
  'bedrock-converse': 'converse',
}
const OWN: Readonly<Record<string, Endpoint>> = {
  anthropic: 'messages',
  'openai-responses': 'responses',
  gemini: 'gemini',
  vertex: 'gemini',
  bedrock: 'converse',
}

/** Texts that the tables provoke. */
const provoked = Object.values(tables).flatMap(({ to, rejected }) =>
  Object.values(rejected).map(([body]) => {
    const verdict = judge({ ...to, body })
    const endpoint = to.endpoint ?? OWN[to.provider] ?? 'chat'
    return verdict.accepted ? { endpoint, rule: '', message: '' } : { endpoint, ...verdict }
  }),
)

/** A text as a pattern: ids and numbers may be anything, backticks get lost in pastes. */
function patternOf(message: string): RegExp {
  const pattern = message
    .trim()
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/`/g, '`?')
    .replace(/\w*ID\w+|\w+ID\b|\b(?:call|fc|msg|rs|resp|item|toolu|tooluse|srvtoolu)_\w*\d\w*/g, '.+?')
    .replace(/\d+/g, '(?:\\d+|[A-Z]|<\\w+>)')
  return new RegExp(pattern, 's')
}

/** The text inside a relay's text, or a fragment of it. */
function isProvoked(entry: ErrorEntry): boolean {
  return provoked.some(
    ({ endpoint, rule, message }) =>
      sameRule(rule, entry.rule) &&
      endpoint === ENDPOINTS[entry.dialect] &&
      (patternOf(message).test(entry.message) || patternOf(entry.message).test(message)),
  )
}

/** Some texts belong to more than one rule; the corpus files them under one. */
const ALIKE: Readonly<Record<string, string>> = {
  'tool-result-not-adjacent': 'tool-result-missing',
  'first-not-user': 'invalid-argument-opaque',
  'no-user-message': 'invalid-argument-opaque',
  'last-assistant-prefill': 'tool-result-mixed-with-other-parts',
}

function sameRule(ours: string, theirs: string): boolean {
  return ours === theirs || ALIKE[ours] === theirs
}

function reasonFor({ message }: ErrorEntry): string | undefined {
  return NOT_PROVOKED.find(([pattern]) => pattern.test(message))?.[1]
}

describe('the error corpus: each text about the history is provoked', () => {
  const entries = errorEntries().filter(({ recovery }) => recovery === 'repair')
  const absent = 'skipped: no error-corpus.json beside the corpus'
  const title = entries.length > 0 ? `${entries.filter(isProvoked).length} of ${entries.length} texts` : absent
  it.skipIf(entries.length === 0)(title, () => {
    const left = entries.filter((entry) => !isProvoked(entry) && reasonFor(entry) === undefined)
    expect(left.map(({ provider, rule, message }) => `${provider} | ${rule} | ${message}`)).toEqual([])
  })

  it.skipIf(entries.length === 0)(
    entries.length > 0 ? 'nothing is excused that is provoked' : `nothing is excused (${absent})`,
    () => {
      const both = entries.filter((entry) => isProvoked(entry) && reasonFor(entry) !== undefined)
      expect(both.map(({ message }) => message)).toEqual([])
    },
  )
})
