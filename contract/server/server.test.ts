import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { contractFetch } from './fetch.ts'
import { startContract } from './server.ts'
import { request, taken, way, ways } from './testing/ways.ts'

test('the fetch answers every request as the server does, byte for byte', async () => {
  const options = { script: [] }
  const server = await startContract(options)
  const emulator = contractFetch(options)
  try {
    for (const one of ways()) {
      const fromServer = await fetch(server.url + one.path, request(one))
      const fromFetch = await emulator(`http://anywhere${one.path}`, request(one))
      const name = `${one.provider} ${one.endpoint} ${one.stream}`
      expect([name, fromFetch.status]).toEqual([name, 200])
      expect(fromServer.status).toBe(fromFetch.status)
      expect(fromServer.headers.get('content-type')).toBe(fromFetch.headers.get('content-type'))
      expect((await taken(fromServer)).text).toBe((await taken(fromFetch)).text)
    }
  } finally {
    await server.close()
  }
  expect(server.requests.map(bare)).toEqual(emulator.requests.map(bare))
})

function bare(record: { path: string; provider?: string; endpoint?: string; verdict?: unknown; body: unknown }) {
  const { path, provider, endpoint, verdict, body } = record
  return { path, provider, endpoint, verdict, body }
}

test('the same request gets the same bytes again', async () => {
  const emulator = contractFetch()
  for (const one of ways()) {
    const [first, second] = [
      await emulator(`http://a${one.path}`, request(one)),
      await emulator(`http://a${one.path}`, request(one)),
    ]
    expect((await taken(first)).text).toBe((await taken(second)).text)
  }
})

test('a closed contract no longer listens, and ends open connections', async () => {
  const server = await startContract()
  const one = way('chat', true)
  const stalled = await fetch(server.url + one.path, request(one, { 'x-contract-fault': 'stall-after-events=1' }))
  const rest = taken(stalled)
  await server.close()
  expect((await rest).broken).toBe(true)
  const { port } = new URL(server.url)
  const rejected = await new Promise((resolve) => {
    connect(Number(port), '127.0.0.1').on('error', (error) => resolve((error as NodeJS.ErrnoException).code))
  })
  expect(rejected).toBe('ECONNREFUSED')
})

test('a port can be chosen, and a port in use is an error', async () => {
  const first = await startContract()
  const port = Number(new URL(first.url).port)
  await expect(startContract({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await first.close()
  const second = await startContract({ port })
  expect(second.url).toBe(first.url)
  await second.close()
})

test('a script that throws is a 500 of the contract and not of a provider', async () => {
  const server = await startContract({
    script: [
      () => {
        throw new Error('no such luck')
      },
    ],
  })
  const one = way('chat', false)
  const response = await fetch(server.url + one.path, request(one))
  expect(response.status).toBe(500)
  expect(await response.json()).toEqual({ contract: 'Error: no such luck' })
  await server.close()
})
