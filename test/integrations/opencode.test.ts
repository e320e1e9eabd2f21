/**
 * The plugin as opencode loads it: a function that is called once, in the process that sends the requests.
 */
import { afterEach, expect, it } from 'vitest'
import { contractFetch } from '../../contract/index.ts'
import { SuturePlugin } from '../../src/integrations/opencode.ts'

const before = globalThis.fetch
afterEach(() => {
  globalThis.fetch = before
})

const messages = [
  { role: 'user', content: 'Read it.' },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'The real text.' }] },
]
const body = JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 100, messages })
const ask = async () => (await fetch('https://api.anthropic.com/v1/messages', { method: 'POST', body })).status

it('repairs requests that fail without it, and keeps what the runtime added to fetch', async () => {
  const contract = contractFetch()
  globalThis.fetch = Object.assign(contract, { preconnect: () => 'kept' })
  expect(await ask()).toBe(400)
  expect(await SuturePlugin({})).toEqual({})
  expect(await ask()).toBe(200)
  expect(JSON.stringify(contract.requests.at(-1)?.body)).toContain('The real text.')
  expect((globalThis.fetch as unknown as { preconnect(): string }).preconnect()).toBe('kept')
})

it('names a mistyped option', async () => {
  await expect(SuturePlugin({}, { modus: 'lint' } as never)).rejects.toThrow(/modus/)
})
