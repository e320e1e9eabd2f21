/**
 * The recorder inside the gateway's process: bodies as they came, and the head of each answer.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Recorded } from '../../scripts/agents/record-requests.ts'

const folder = mkdtempSync(join(tmpdir(), 'suture-record-'))
const record = join(folder, 'requests.jsonl')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const SERVER = `import { createServer } from 'node:http'
const server = createServer((request, response) => {
  let size = 0
  request.on('data', (bytes) => { size += bytes.length })
  request.on('end', () => response.writeHead(201, ['suture-findings', 'a-rule']).end(String(size)))
})
server.on('upgrade', (request, socket) => socket.end('HTTP/1.1 426 Upgrade Required\\r\\nsuture-error: no-websocket\\r\\n\\r\\n'))
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
`

beforeAll(async () => {
  const source = join(import.meta.dirname, '../../scripts/agents/record-requests.ts')
  await build({ entryPoints: [source], outfile: join(folder, 'recorder.mjs'), platform: 'node', format: 'esm' })
  writeFileSync(join(folder, 'server.mjs'), SERVER)
})

it('records body, status and headers of each request, WebSockets included, and the server reads the same bytes', async () => {
  const args = ['--import', join(folder, 'recorder.mjs'), join(folder, 'server.mjs')]
  const child = spawn(process.execPath, args, { env: { SUTURE_AGENTS_RECORD: record }, stdio: 'pipe' })
  try {
    const port = await new Promise<string>((resolve) =>
      child.stdout.once('data', (text) => resolve(String(text).trim())),
    )
    const large = 'grün '.repeat(100_000)
    for (const body of ['small', large]) {
      const response = await fetch(`http://127.0.0.1:${port}/v1/x?y=1`, { method: 'POST', body })
      expect(await response.text()).toBe(String(Buffer.byteLength(body)))
    }
    const headers = { connection: 'Upgrade', upgrade: 'websocket' }
    const [rejected] = await once(request(`http://127.0.0.1:${port}/ws`, { headers }).end(), 'response')
    expect(rejected.statusCode).toBe(426)
    await expect.poll(() => lines().length).toBe(3)
    const [small, big, upgrade] = lines()
    expect(upgrade).toMatchObject({ path: '/ws', status: 426, answer: { 'suture-error': 'no-websocket' } })
    expect(small).toMatchObject({
      method: 'POST',
      path: '/v1/x?y=1',
      status: 201,
      answer: { 'suture-findings': 'a-rule' },
    })
    expect([small, big].map((one) => Buffer.from(one!.body, 'base64').toString())).toEqual(['small', large])
  } finally {
    child.kill('SIGKILL')
  }
})

function lines(): Recorded[] {
  return readFileSync(record, { encoding: 'utf8', flag: 'a+' })
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Recorded)
}
