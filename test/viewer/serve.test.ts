/** The server of `suture view`: a token that works once, no other origin, and the file as it is. */
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { serveViewer } from '../../src/viewer/command.ts'
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

describe('writing', () => {
  const home = mkdtempSync(join(tmpdir(), 'suture-view-'))
  afterEach(() => vi.unstubAllEnvs())
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  it('repairs that remove something are made only if they are asked for', async () => {
    built()
    vi.stubEnv('HOME', home)
    vi.stubEnv('SUTURE_STATE_DIR', join(home, 'state'))
    const path = join(home, 'request.json')
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: '' } }
    const content = [{ type: 'text', text: 'What is this?' }, image]
    const body = { model: 'claude-opus-4-5', max_tokens: 10, messages: [{ role: 'user', content }] }
    writeFileSync(path, JSON.stringify(body))
    utimesSync(path, 1_700_000_000, 1_700_000_000)
    let stop = (_signal: string) => {}
    const stopped = new Promise<string>((resolve) => (stop = resolve))
    const url = await new Promise<string>((resolve) => {
      void serveViewer([path], {
        open: false,
        out: (text) => resolve(text.split('\n')[0]!),
        untilStopped: () => stopped,
      })
    })
    const { origin, hash } = new URL(url)
    let cookie = ''
    const post = async (name: string, body: unknown) => {
      const response = await fetch(`${origin}/api/${name}`, {
        method: 'POST',
        headers: { origin, cookie, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      cookie ||= response.headers.get('set-cookie')?.split(';')[0] ?? ''
      return (await response.json()) as { fingerprint: string; message: string; lossy: number; error?: string }
    }
    await post('claim', { token: hash.slice('#token='.length) })
    const safe = await post('plan', {})
    expect(safe).toMatchObject({ message: 'There is nothing to write.', lossy: 1 })
    const lossy = await post('plan', { lossy: true })
    expect(lossy).toMatchObject({ message: expect.stringContaining('; 0 errors remain.'), lossy: 0 })
    expect((await post('apply', { fingerprint: lossy.fingerprint })).error).toContain('has changed since the plan')
    expect(readFileSync(path, 'utf8')).toContain('base64')
    expect((await post('apply', { lossy: true, fingerprint: lossy.fingerprint })).message).toContain('Written.')
    expect(readFileSync(path, 'utf8')).not.toContain('base64')
    stop('SIGINT')
  })
})
