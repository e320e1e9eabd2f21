import { connect } from 'node:http2'
import { expect, test } from 'vitest'
import { startContract } from './server.ts'
import { request, way } from './testing/ways.ts'

const one = way('chat', true)

test.each([
  ['HTTP/1.1', leaveHttp1],
  ['HTTP/2', leaveHttp2],
])('clients over %s may leave at any moment, and the next one is served', async (_name, leave) => {
  const contract = await startContract()
  const reply = { text: 'a text of many chunks '.repeat(200), chunkBytes: 2, paceMs: 1 }
  for (let reads = 0; reads < 10; reads++) {
    contract.script(reply)
    await leave(contract.url, reads)
  }
  const endings = await Promise.all(contract.requests.map((record) => record.done))
  expect(new Set(endings)).toEqual(new Set(['disconnected']))
  const answer = await fetch(contract.url + one.path, request(one))
  expect(await answer.text()).toContain('[DONE]')
  await contract.close()
})

async function leaveHttp1(url: string, reads: number): Promise<void> {
  const leaving = new AbortController()
  const response = await fetch(url + one.path, { ...request(one), signal: leaving.signal })
  const reader = response.body!.getReader()
  for (let count = 0; count < reads; count++) await reader.read()
  leaving.abort()
}

async function leaveHttp2(url: string, reads: number): Promise<void> {
  const session = connect(url)
  const stream = session.request({ ':method': 'POST', ':path': one.path })
  stream.end(JSON.stringify(one.body))
  let count = 0
  for await (const _chunk of stream) if (count++ >= reads) break
  session.destroy()
}
