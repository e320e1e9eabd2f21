/**
 * The examples run, without a key and without a model.
 */
import { expect, it, vi } from 'vitest'

const SAYS = {
  'guard-openai': /'tool-result-missing': 1[\s\S]*Back again\./,
  'guard-anthropic':
    /rejected[\s\S]*recovered[\s\S]*whole:[\s\S]*It is sunny\.[\s\S]*incomplete[\s\S]*not whole:[\s\S]*Error/,
  'guard-ai-sdk': /recovered[\s\S]*The fetch was guarded\.[\s\S]*The model was wrapped\./,
  'guard-langchain': /'tool-result-missing': 1[\s\S]*Yes, I am\./,
  'guard-fetch': /400 .*tool_use_id[\s\S]*200 tool-result-orphan/,
}

it.each(Object.entries(SAYS))('%s', async (name, expected) => {
  const lines: string[] = []
  const { inspect } = await import('node:util')
  const log = vi.spyOn(console, 'log').mockImplementation((...words) => {
    lines.push(words.map((word) => (typeof word === 'string' ? word : inspect(word))).join(' '))
  })
  await import(`../examples/${name}.ts`).finally(() => log.mockRestore())
  expect(lines.join('\n')).toMatch(expected)
})
