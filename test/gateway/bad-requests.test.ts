/**
 * Bad requests: a clear error, nothing leaked, and the next request is served.
 */
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { post, raw } from './raw-socket.ts'
import { running } from './start-gateway.ts'

const SECRET = 'sk-secret-of-the-caller'
const gateway = await running({
  limits: { headersTimeoutMs: 300, requestTimeoutMs: 600, maxHeaderBytes: 16_384, maxBodyBytes: 8e6 },
})
afterAll(() => gateway.close())

const PATH = '/openai/v1/chat/completions'
const valid = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi' }] })
const headers = { 'content-type': 'application/json', authorization: `Bearer ${SECRET}` }
const ask = (body: string | Uint8Array, more: Record<string, string> = {}, path = PATH) =>
  fetch(gateway.url + path, { method: 'POST', headers: { ...headers, ...more }, body: body as string })

afterEach(async () => {
  expect((await ask(valid)).status, 'the next request').toBe(200)
  const output = JSON.stringify(await gateway.logged()) + gateway.metrics()
  expect(output).not.toContain(SECRET)
})

describe('targets', () => {
  it.each([
    ['/openai/../anthropic/v1/messages', 400],
    ['/openai/v1/%2e%2e/%2E%2e/secret', 400],
    ['/openai/v1/..%2fsecret', 400],
    ['/openai/v1/..;/secret', 400],
    ['/openai\\..\\secret', 400],
    ['/openai/v1/%00', 400],
    ['//evil.example/v1/chat/completions', 400],
    ['http://evil.example/v1/chat/completions', 400],
    ['HTTPS://evil.example/', 400],
    ['evil.example:443', 400],
    ['*', 400],
    ['/unlisted/v1/chat/completions', 404],
    ['/%6fpenai/v1/chat/completions', 404],
    ['/@evil.example/v1', 404],
    ['/suture/../openai/v1/models', 400],
    ['/suture/nothing', 404],
  ])('%s is %i and not forwarded', async (target, status) => {
    const before = gateway.contract.requests.length
    const text = await raw(gateway.url, [`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`])
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(gateway.contract.requests.length).toBe(before)
  })

  it('an encoded slash inside a name is passed on unchanged', async () => {
    const path = '/bedrock/model/arn%3Aaws%3Abedrock%3Aeu%3A1%3Ainference-profile%2Feu.claude/converse'
    await ask(JSON.stringify({ messages: [{ role: 'user', content: [{ text: 'Hi' }] }] }), {}, path)
    expect(gateway.contract.requests.at(-1)?.path).toBe(path)
  })

  it('TRACE is rejected: the answer would show the key that goes to the provider', async () => {
    expect(await raw(gateway.url, [`TRACE ${PATH} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`])).toMatch(
      /^HTTP\/1.1 405 /,
    )
  })

  it('a tunnel is rejected', async () => {
    expect(await raw(gateway.url, ['CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n'])).toMatch(
      /^HTTP\/1.1 400 /,
    )
  })

  it.each([
    ['Host: evil.example', 421],
    ['Host: localhost\r\nOrigin: https://evil.example', 403],
    ['Host: localhost\r\nOrigin: null', 403],
    ['Host: localhost.evil.example', 421],
    ['X-No-Host: 1', 400],
    ['Host: localhost\r\nHost: evil.example', 400],
    ['Host: localhost\r\nTransfer-Encoding: gzip, chunked', 400],
  ])('%j is %i', async (lines, status) => {
    const text = await raw(gateway.url, [`GET ${PATH} HTTP/1.1\r\n${lines}\r\nConnection: close\r\n\r\n`])
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })
})

describe('bodies', () => {
  it.each([
    ['half an object', '{"messages": [{"role": "user"'],
    ['nothing', ''],
    ['UTF-16', Buffer.from(valid, 'utf16le')],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00, 0x80])],
  ])('%s gets the words of the provider', async (_what, body) => {
    const response = await ask(body as Uint8Array)
    expect([response.status, response.headers.get('suture-error')]).toEqual([400, null])
    expect(Buffer.from(gateway.contract.requests.at(-1)!.bytes).equals(Buffer.from(body))).toBe(true)
  })

  it('200 MB that are announced are not even read', async () => {
    const text = await raw(gateway.url, [
      `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 209715200\r\n\r\n`,
      'x',
    ])
    expect(text).toMatch(/^HTTP\/1.1 413 [\s\S]*"code":"body-too-large"/)
  })

  it('200 MB in chunks are cut at the limit, and nothing of them is held', async () => {
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(0x100000, 32), Buffer.from('\r\n')])
    const head = `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`
    // One that has the time for it: how fast 8 MB arrive is not what is asked.
    const patient = await running({ limits: { maxBodyBytes: 8e6 } })
    const text = await raw(patient.url, [head, ...Array<Buffer>(200).fill(chunk)])
    expect(text).toMatch(/^HTTP\/1.1 413 /)
    expect(patient.metrics()).toMatch(/^suture_buffered_bytes 0$/m)
    await patient.close()
  })

  it('a bomb is cut at the limit', async () => {
    const response = await ask(gzipSync(Buffer.alloc(200e6, 32)), { 'content-encoding': 'gzip' })
    expect([response.status, response.headers.get('suture-error')]).toEqual([413, 'body-too-large'])
  })

  it('a body that does not match its content-encoding is rejected; a compressed one is read and passed on unchanged', async () => {
    expect((await ask(valid, { 'content-encoding': 'gzip' })).status).toBe(400)
    const packed = gzipSync(valid)
    await ask(packed, { 'content-encoding': 'gzip' })
    expect(Buffer.from(gateway.contract.requests.at(-1)!.bytes).equals(packed)).toBe(true)
  })

  it('__proto__ is an unknown key like any other: the repair waits for the rejection', async () => {
    const body = `{"__proto__":{"polluted":1},"model":"gpt-4o","messages":[{"role":"user","content":"Hi","__proto__":{"polluted":1}},{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}],"constructor":{"prototype":{"polluted":1}}},{"role":"user","content":"?"}]}`
    await ask(body)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    const sent = Buffer.from(gateway.contract.requests.at(-1)!.bytes).toString()
    expect(sent).toContain('"__proto__":{"polluted":1},"model"')
    expect((await gateway.logged()).at(-1)).toMatchObject({ recoveries: ['repair'], status: 200 })
  })

  it('very deep nesting does no harm', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const body = `{"model":"gpt-4o","messages":[{"role":"user","content":${deep}},{"role":"tool","tool_call_id":"x","content":${deep}}]}`
    expect((await ask(body)).status).toBeLessThan(600)
  })
})

describe('the line itself', () => {
  it.each([
    ['two lengths', post(PATH, valid, ['Content-Length: 3'])],
    ['a length and chunks', post(PATH, valid, ['Transfer-Encoding: chunked'])],
    ['a bare line feed in a header', post(PATH, valid, ['X-A: b\nX-Evil: 1'])],
    ['a null in a header', post(PATH, valid, ['X-A: b\u0000c'])],
    ['a name with a space', post(PATH, valid, ['X A: b'])],
    ['a greeting of TLS', Buffer.from('160301020001000001fc0303', 'hex')],
    ['words', 'hello?\r\n\r\n'],
  ])('%s: 400', async (_what, bytes) => {
    const before = gateway.contract.requests.length
    expect(await raw(gateway.url, [bytes])).toMatch(/^HTTP\/1.1 400 /)
    expect(gateway.contract.requests.length).toBe(before)
  })

  it('a HEAD request that cannot be read gets no body', async () => {
    const text = await raw(gateway.url, ['HEAD ;/x HTTP/1.1\r\nHost: localhost\r\n\r\n'])
    expect(text).toMatch(/^HTTP\/1.1 400 /)
    expect(text.split('\r\n\r\n')[1]).toBe('')
  })

  it('headers without measure: 431', async () => {
    expect(await raw(gateway.url, [post(PATH, valid, [`X-Long: ${'x'.repeat(20_000)}`])])).toMatch(/^HTTP\/1.1 431 /)
  })

  it('headers that trickle in, and bodies: 408', async () => {
    const slowly = [...`GET ${PATH} HTTP/1.1\r\nHost: localhost\r\nX-Slow: ${'x'.repeat(100)}`]
    expect(await raw(gateway.url, slowly, 50)).toMatch(/^HTTP\/1.1 408 /)
    const body = post(PATH, valid).toString()
    const head = body.slice(0, body.indexOf('{'))
    expect(await raw(gateway.url, [head, ...valid], 100)).toMatch(/^HTTP\/1.1 408 /)
  })

  it('headers of the gateway and those of the connection do not reach the provider', async () => {
    await raw(gateway.url, [
      post(PATH, valid, [
        'Suture-Report: x',
        'Connection: X-Private, close',
        'X-Private: 1',
        'TE: trailers',
        'Proxy-Authorization: x',
        'X-Kept: 1',
      ]),
    ])
    const { headers: came } = gateway.contract.requests.at(-1)!
    expect(came['x-kept']).toBe('1')
    for (const name of ['suture-report', 'x-private', 'te', 'proxy-authorization']) expect(came[name]).toBeUndefined()
  })
})
