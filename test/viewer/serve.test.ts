/** The server of `suture view`: a token that works once, no other origin, and the file as it is. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveView, type Viewing } from '../../src/viewer/serve.ts'
import { built } from './browser.ts'

describe('the server of one file', () => {
  let view: Viewing
  let origin: string
  let token: string
  beforeAll(async () => {
    built()
    view = await serveView({ name: 'a.jsonl', read: async () => Buffer.from('{"a":1}\n') })
    origin = new URL(view.url).origin
    token = view.url.split('#token=')[1]!
  })
  afterAll(() => view.close())

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(origin + path, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })

  it('gives nothing without the token', async () => {
    expect((await fetch(`${origin}/api/file`)).status).toBe(401)
    expect((await post('/api/claim', { token: 'wrong' })).status).toBe(401)
  })

  it('answers no page of another origin', async () => {
    expect((await post('/api/claim', { token }, { origin: 'https://example.com' })).status).toBe(403)
    expect((await fetch(`${origin}/api/info`, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403)
  })

  it('takes the token once, and gives the file for the cookie', async () => {
    const claimed = await post('/api/claim', { token })
    expect(claimed.status).toBe(200)
    const cookie = claimed.headers.get('set-cookie')!
    expect(cookie).toMatch(/HttpOnly; SameSite=Strict/)
    expect((await post('/api/claim', { token })).status).toBe(401)
    const file = await fetch(`${origin}/api/file`, { headers: { cookie: cookie.split(';')[0]! } })
    expect(await file.text()).toBe('{"a":1}\n')
    expect((await post('/api/apply', {}, { cookie: cookie.split(';')[0]! })).status).toBe(404)
  })

  it('sends the page with a strict policy', async () => {
    const page = await fetch(`${origin}/`)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await page.text()).toContain('content="view"')
  })
})
