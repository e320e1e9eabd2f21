import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { busy, ownOutput, request, settled, tierTooSmall } from './classes.ts'
import { explain } from './index.ts'
import { meanings } from './meanings.ts'
import { patterns } from './patterns.ts'

describe('an error text explained', () => {
  it('leads to its rule, its page and its mend', () => {
    const body = '{"error":{"message":"No tool output found for function call call_abc.","param":"input"}}'
    expect(explain(body)).toEqual({
      kind: 'history',
      rule: 'tool-result-missing',
      says: expect.stringMatching(/./),
      why: expect.stringMatching(/./),
      mends: expect.stringContaining('repair(body'),
      link: 'docs/rules/tool-result-missing.md',
      ids: ['call_abc'],
    })
  })

  it('says sizes', () => {
    const said = explain('prompt is too long: 213462 tokens > 200000 maximum')
    expect(said).toMatchObject({ kind: 'size', rule: 'prompt-too-long', limit: 200000, actual: 213462 })
    expect(said.mends).toContain('shrinks')
  })

  it.each([
    ['Overloaded', 'overloaded', /waits/],
    ['invalid x-api-key', 'auth', /passes the error on/],
    ['Failed to call a function. Please adjust your prompt.', 'model-tool-call-failed', /sends the same request again/],
    ['Request contains an invalid argument.', 'invalid-argument-opaque', /lints what was sent/],
    [
      "Invalid 'tools': array too long. Expected an array with maximum length 128",
      'tools-too-many',
      /beside the history/,
    ],
  ])('%s', (text, rule, mends) => {
    expect(explain(text)).toMatchObject({ rule, mends: expect.stringMatching(mends) })
  })

  it('says so when it does not know, and what to do next', () => {
    expect(explain('The moon is in the wrong house.')).toMatchObject({
      kind: 'unknown',
      mends: expect.stringContaining('lint(body'),
    })
  })

  it('has a page for every rule and a meaning for every class', () => {
    const root = new URL('../../../', import.meta.url)
    for (const { rule } of patterns()) expect(existsSync(new URL(`docs/rules/${rule}.md`, root)), rule).toBe(true)
    for (const { name } of [...busy, ...ownOutput, ...request, ...settled, tierTooSmall])
      expect(meanings, name).toHaveProperty([name])
    expect(existsSync(new URL(explain('?').link, root))).toBe(true)
  })
})
