import { describe, expect, it } from 'vitest'
import { type Rule, repair, type Target } from '../core/index.ts'
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { textBlank } from '../rules/text-blank.ts'
import { toolResultMissing } from '../rules/tool-result-missing.ts'
import { checkPromises, frozen, type RuleTable, testRule } from './index.ts'
import { checkTable } from './test-rule.ts'

const lost =
  'No result of this tool call was recorded. Whether it ran and what came of it is unknown: check before you repeat it.'

testRule(toolResultMissing, {
  valid: {
    'a call with its result': `
      user: weather?
      assistant: call a weather
      tool: result a sunny`,
    'a call that may still be answered': {
      before: `
        user: weather?
        assistant: call a weather`,
      options: { inProgress: true },
    },
  },
  invalid: {
    'two calls without results before the next prompt': {
      before: `
        user: weather?
        assistant: call a weather | call b news
        user: well?`,
      finds: ['missing a weather', 'missing b news'],
      after: `
        user: weather?
        assistant: call a weather | call b news
        tool: failed a ${lost} | failed b ${lost}
        user: well?`,
    },
    'one of two calls without a result before the next prompt': {
      before: `
        user: weather?
        assistant: think hm | I look | call a weather {"city":"Oslo"} | call b news
        tool: result b rain
        user: well?`,
      finds: ['missing a weather'],
      after: `
        user: weather?
        assistant: think hm | I look | call a weather {"city":"Oslo"} | call b news
        tool: failed a ${lost} | result b rain
        user: well?`,
      afterIn: {
        'openai-responses': `
          user: weather?
          assistant: think hm | I look | call a weather {"city":"Oslo"} | call b news
          tool: failed a ${lost} | result b rain
          user: well?`,
      },
    },
  },
})

testRule(textBlank, {
  valid: { 'a text': 'user: hello' },
  invalid: {
    'a blank text beside another, in the order of turns': {
      before: `
        user: hello | blank
        assistant: hi`,
      dialects: ['anthropic-messages', 'gemini', 'bedrock-converse', 'ai-sdk'],
      finds: ['blank'],
      after: `
        user: text hello
        assistant: hi`,
    },
    'what is only a warning': {
      before: 'user: hello | blank',
      constraint: { evidence: 'single-report' },
      finds: ['blank'],
    },
    'a native history': {
      before: [
        {
          role: 'user',
          content: [
            { type: 'text', text: ' ' },
            { type: 'text', text: 'x' },
          ],
        },
      ],
      dialect: 'anthropic-messages',
      finds: ['blank'],
      after: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }],
    },
    'a history in its request': {
      before: 'user: x | blank',
      body: { model: 'm' },
      dialects: ['anthropic-messages'],
      finds: ['blank'],
      after: 'user: text x',
      afterBody: { model: 'm' },
    },
  },
})

describe('testRule rejects', () => {
  const finds = ['blank']
  it.each([
    ['the same case twice', { one: 'user: a', two: ' user: a ' }, {}, /"two" is the same case as "one"/],
    ['an invalid case without findings', {}, { one: { before: 'user: a', after: 'user: b' } }, /has no findings/],
    ['an invalid case with an empty list', {}, { one: { before: 'user: a', finds: [] } }, /has no findings/],
    [
      'an invalid case that is not changed',
      {},
      { one: { before: 'user: a', finds, after: 'user: a' } },
      /is not changed/,
    ],
    ['a valid case with findings', { one: { before: 'user: a', finds } }, {}, /has a list of findings/],
    ['a native history without a dialect', { one: { before: [] } }, {}, /names no dialect/],
  ])('%s', (_name, valid, invalid, message) => {
    expect(() => checkTable({ valid, invalid } as unknown as RuleTable)).toThrow(message)
  })
})

describe('checkPromises', () => {
  const target = (check: Rule['check']): Target => ({
    service: { dialect: anthropicMessages, constraints: { bad: { evidence: 'many-reports' } } },
    rules: [{ ...textBlank, id: 'bad', check }],
  })
  const input = frozen([{ role: 'user', content: [{ type: 'text', text: 'a' }] }])

  it('catches a repair that never rests', () => {
    const restless = target((t, _constraint, report) => {
      for (const part of t.texts) report('blank', part, {}, [{ do: 'write', part, change: { text: `${part.body}!` } }])
    })
    expect(() => checkPromises(input, restless, repair(input, restless))).toThrow(/nothing is left to repair/)
  })

  it('catches a fix that does nothing', () => {
    const idle = target((t, _constraint, report) => {
      for (const part of t.texts)
        report('blank', part, {}, [{ do: 'write', part, change: { text: String(part.body) } }])
    })
    expect(() => checkPromises(input, idle, repair(input, idle))).toThrow(/Broken promise/)
  })
})
