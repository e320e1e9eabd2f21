import { expect, it } from 'vitest'
import { declarations, matched, start, type Tool } from './index.ts'

const look: Tool = {
  name: 'look',
  parameters: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
  run: ({ at }) => `seen ${at}`,
}
const about = { id: '1', name: 'look', signal: new AbortController().signal, progress: () => {} }

it('declares what the model receives', () => {
  expect(declarations([look])).toEqual([{ name: 'look', description: undefined, schema: look.parameters }])
})

it.each([
  ['look', { at: 'Oslo' }, { tool: look, input: { at: 'Oslo' } }],
  ['gone', {}, { text: 'There is no tool "gone". Known: look.', why: 'no-such-tool' }],
  [
    'look',
    {},
    {
      why: 'arguments',
      text: 'look was not run because of its arguments. /at: is missing. Correct them and call it again.',
    },
  ],
  [
    'look',
    [],
    {
      why: 'arguments',
      text: 'look was not run because of its arguments. the arguments: must be a JSON object. Correct them and call it again.',
    },
  ],
])('%s with %j', async (name, input, found) => {
  expect(await matched([look], name, input)).toEqual(found)
})

it('a schema that cannot check is an error, and nothing is run', async () => {
  const odd = { ...look, parameters: { '~standard': { validate: () => Promise.reject(new Error('odd')) } } }
  expect(await matched([odd], 'look', {})).toMatchObject({ why: 'arguments', text: expect.stringContaining('odd') })
})

it.each([
  [() => 'text', 'text', 'returned'],
  [() => ({ n: 1 }), '{"n":1}', 'returned'],
  [() => undefined, '(no output)', 'returned'],
  [() => '', '(no output)', 'returned'],
  [() => new Uint8Array(3), '(3 bytes)', 'returned'],
  [() => Promise.reject(new TypeError()), 'look failed: TypeError', 'threw'],
  [() => Promise.reject('words'), 'look failed: words', 'threw'],
])('what %s brings', async (run, text, why) => {
  expect(await start({ ...look, run }, {}, about, 1000).first).toEqual({ text, why })
})

it('one that takes too long is aborted, and may still return a result', async () => {
  const slow = (_input: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(`aborted: ${signal.reason.name}`)))
  const { first, ran } = start({ ...look, timeoutMs: 1, run: slow }, {}, about, 60_000)
  expect(await first).toBeUndefined()
  expect(await ran).toEqual({ text: 'aborted: TimeoutError', why: 'returned' })
})
