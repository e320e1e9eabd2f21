/** Histories so long that the edits of a repair are more than a function takes arguments. */
import { expect, it } from 'vitest'
import { apply, invert, repair } from '../src/index.ts'

const MANY = 150_000

it('a repair of a very long history does not throw, and can be undone', { timeout: 120_000 }, () => {
  const history = Array.from({ length: MANY }, (_, i) => [
    { type: 'function_call', call_id: `call_${i}`, name: 'run', arguments: '{}' },
    { role: 'user', content: 'go on' },
  ]).flat()
  const { value, patch, remaining } = repair<readonly unknown[]>(history, { provider: 'openai-responses' })
  expect(patch.length).toBe(MANY)
  expect(value.length).toBe(3 * MANY)
  expect(remaining).toEqual([])
  expect(apply(value, invert(patch))).toEqual(history)
})
