import { expect, it } from 'vitest'
import { MessageLines } from './mcp-input.ts'

async function read(chunks: readonly (string | Buffer)[], limit: number) {
  const answers: string[] = []
  const lines = new MessageLines((text) => answers.push(text), limit)
  let passed = ''
  lines.on('data', (piece) => (passed += piece))
  for (const chunk of chunks) lines.write(chunk)
  lines.end()
  await new Promise((resolve) => lines.once('end', resolve))
  return { passed, answers: answers.map((text) => JSON.parse(text)) }
}

const long = 'x'.repeat(2000)
const fine = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'

it.each([
  ['its first key', `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":"${long}"}\n`, 7],
  ['its last key, as the official client writes it', `{"params":{"id":3,"a":"${long}"},"jsonrpc":"2.0","id":7}\n`, 7],
  ['a text', `{"method":"m","params":"${long}","id":"a-7","jsonrpc":"2.0"}\n`, 'a-7'],
  ['only in its content', `{"method":"m","params":{"a":"${long}","b":{"id":3}}}\n`, null],
  ['missing', `${long}\n`, null],
])('a message over the limit is answered with an error; its id is %s', async (_where, message, id) => {
  const { passed, answers } = await read([fine, message, fine], 1000)
  expect(passed).toBe(fine + fine)
  expect(answers).toMatchObject([{ jsonrpc: '2.0', id, error: { code: -32600 } }])
})

it('pieces of any size give the same', async () => {
  const bytes = Buffer.from(`${fine}{"params":"${long}","jsonrpc":"2.0","id":7}\n${fine}`)
  for (const size of [1, 7, 999, 1000, 1001, 5000]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size),
    )
    const { passed, answers } = await read(chunks, 1000)
    expect(passed).toBe(fine + fine)
    expect(answers).toMatchObject([{ id: 7 }])
  }
})
