import { expect, it } from 'vitest'
import { KeyFlags, KeyIndex } from './key-index.ts'

const history = [{ role: 'user', content: [{ type: 'text', text: 'hi', index: 0 }], gone: undefined }]

it('finds keys of interest on a message and inside it', () => {
  const keys = new KeyIndex(history, new KeyFlags(['index', 'role', 'gone', 'name']))
  expect(['index', 'role', 'gone', 'name'].map((key) => keys.mayHave([key]))).toEqual([true, true, false, false])
  expect(['index', 'role', 'gone', 'name'].map((key) => keys.mayHaveOnMessage([key]))).toEqual([
    false,
    true,
    false,
    false,
  ])
})

it('assumes that a key occurs if it is not of interest', () => {
  const keys = new KeyIndex(history, new KeyFlags(['name']))
  expect(keys.mayHave(['index'])).toBe(true)
  expect(keys.mayHaveOnMessage(['name', 'index'])).toBe(true)
})

it('finds every key, however many there are', () => {
  const names = Array.from({ length: 100 }, (_, i) => `key${i}`)
  const flags = new KeyFlags(names)
  for (const name of names) expect(new KeyIndex([{ content: { [name]: 1 } }], flags).mayHave([name])).toBe(true)
  expect(new KeyIndex(history, flags).mayHave(names)).toBe(false)
})

it('after an edit it has the keys of new messages and keeps the others', () => {
  const flags = new KeyFlags(['index', 'name'])
  const keys = new KeyIndex(history, flags)
  const edited = [...history, { name: 'a\ud83d' }]
  const after = new KeyIndex(edited, flags, { history, keys, origins: [0, -1] })
  expect(after.mayHave(['index'])).toBe(true)
  expect(after.mayHaveOnMessage(['name'])).toBe(true)
  expect(after.illFormed).toEqual([1])
})
