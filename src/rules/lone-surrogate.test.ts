import { describe, expect, it } from 'vitest'
import { lint } from '../core/index.ts'
import { isWellFormedDeep } from '../core/key-index.ts'
import { dialects } from '../dialects/index.ts'
import { testRule } from '../testing/index.ts'
import { wellFormed } from './lib/surrogates.ts'
import { loneSurrogate } from './lone-surrogate.ts'
import { toolResultOrphan } from './tool-result-orphan.ts'

testRule(loneSurrogate, {
  valid: {
    'whole characters': `
      user: 😀 naïve 你好
      assistant: call a run {"😀":"x"}
      tool: result a ok`,
  },
  invalid: {
    'a cut through an emoji': {
      before: `
        user: look \\ud83d
        assistant: \\ude00 seen`,
      finds: ['surrogate', 'surrogate'],
      after: `
        user: look \\ufffd
        assistant: \\ufffd seen`,
    },
    'a result': {
      before: `
        user: go
        assistant: call a run
        tool: result a cut \\ud83d`,
      finds: ['surrogate'],
      after: `
        user: go
        assistant: call a run
        tool: result a cut \\ufffd`,
    },
    'keys, of which two must not become one': {
      before: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'a', name: 'run', input: { '\ud800': 1, '\ud801': 2, '\ufffd': 3, x: [] } },
          ],
        },
      ],
      dialect: 'anthropic-messages',
      finds: ['surrogate'],
      after: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: [
            {
              type: 'tool_use',
              id: 'a',
              name: 'run',
              input: { '\ufffd\ufffd': 1, '\ufffd\ufffd\ufffd': 2, '\ufffd': 3, x: [] },
            },
          ],
        },
      ],
    },
    'half a character in the middle of a long text, once it was rejected': {
      before: `
        user: ${'x'.repeat(1000)} \\ud83d ${'x'.repeat(1000)}`,
      options: { rejectedBy: ['lone-surrogate'] },
      finds: ['surrogate'],
      after: `
        user: ${'x'.repeat(1000)} \\ufffd ${'x'.repeat(1000)}`,
    },
    'half a character at the end of a long text': {
      before: `
        user: ${'x'.repeat(2000)} \\ud83d`,
      finds: ['surrogate'],
      after: `
        user: ${'x'.repeat(2000)} \\ufffd`,
    },
    'the rest of the body': {
      before: `user: hello`,
      dialects: ['anthropic-messages'],
      body: { system: 'be \ud800', tools: [{ name: 'x', description: '\udc00' }], model: 'm' },
      finds: ['body system', 'body tools'],
      afterBody: { system: 'be \ufffd', tools: [{ name: 'x', description: '\ufffd' }], model: 'm' },
    },
  },
})

testRule(loneSurrogate, {
  with: [toolResultOrphan],
  constraints: { 'tool-result-orphan': { evidence: 'many-reports' } },
  dialects: ['openai-chat', 'anthropic-messages'],
  valid: { 'a plain talk': 'user: hello' },
  invalid: {
    'a result that moves or becomes a note': {
      before: `
        tool: result z cut \\ud83d
        user: go
        assistant: call a run
        tool: result a half \\ude00`,
      finds: ['surrogate', 'surrogate'],
      after: `
        user: [Result for a call that is no longer in this conversation (z)]\\ncut \\ufffd
        user: go
        assistant: call a run
        tool: result a half \\ufffd`,
    },
  },
})

describe('deep values', () => {
  it('are walked without recursion', () => {
    let deep: unknown = ['\ud800']
    for (let i = 0; i < 100_000; i++) deep = { deep }
    expect(isWellFormedDeep(deep)).toBe(false)
    expect(isWellFormedDeep(wellFormed(deep))).toBe(true)
    const dialect = dialects[0]!
    const history = [{ role: 'user', content: [{ type: 'text', text: 'x', deep }] }]
    const found = lint(history, {
      service: { dialect, constraints: { 'lone-surrogate': { evidence: 'many-reports' } } },
      rules: [loneSurrogate],
    })
    expect(found).toHaveLength(1)
    expect(found[0]!.at).toEqual([0])
  })

  it('with cycles or bytes are walked to their end', () => {
    const bytes = { data: new Uint8Array(1_000_000) }
    expect(isWellFormedDeep(bytes)).toBe(true)
    const ring: { self?: unknown } = {}
    ring.self = ring
    expect(isWellFormedDeep(ring)).toBe(true)
  })
})
