/** The page loads the formats of session files when a file needs them. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formats } from '../../src/session-files/index.ts'
import { usual } from '../../src/viewer/worker/load-formats.ts'
import { skippable } from '../skip-reasons.ts'
import { eventually, launch, missing, openFile, openPage, staticPage } from './browser.ts'
import { claudeCode } from './samples.ts'

const item = (payload: object) => ({ timestamp: '2026-05-01T10:00:00.000Z', ...payload })
const message = (role: string, type: string) => ({ type: 'message', role, content: [{ type, text: 'hello' }] })
const codex = [
  item({ type: 'session_meta', payload: { id: 's', cwd: '/repo', cli_version: '0.60.0' } }),
  item({ type: 'response_item', payload: message('user', 'input_text') }),
  item({ type: 'response_item', payload: message('assistant', 'output_text') }),
]
const lines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')
const history = ['user', 'assistant'].map((role) => ({ message: { role, content: 'hello' }, contextItems: [] }))

it('tries the first formats of the list in its order, so that each file is in the same format as on the command line', async () => {
  expect(await Promise.all(usual.map((load) => load()))).toEqual(formats.slice(0, usual.length))
})

describe.skipIf(missing)(skippable('formats in the viewer', missing), () => {
  let browser: Browser
  let site: Awaited<ReturnType<typeof staticPage>>
  beforeAll(async () => {
    site = await staticPage()
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    site?.close()
  })

  it('loads only the format of the file, and others with the next file', async () => {
    const { page, faults } = await openPage(browser, site.url)
    const loaded: string[] = []
    page.context().on('response', (response) => void loaded.push(new URL(response.url()).pathname))
    const isLoaded = (name: string) => loaded.some((path) => path.includes(`/${name}-`))
    const open = async (name: string, text: string, format: string) => {
      await page.evaluate(() => {
        location.hash = '#/'
      })
      await openFile(page, name, text)
      await eventually(() => page.textContent('.toolbar')).toContain(format)
    }
    await open('session.jsonl', claudeCode(), 'Claude Code')
    expect([isLoaded('claude-code'), isLoaded('codex'), isLoaded('formats')]).toEqual([true, false, false])
    await open('rollout.jsonl', lines(codex), 'Codex')
    expect([isLoaded('codex'), isLoaded('formats')]).toEqual([true, false])
    await open('s.json', JSON.stringify({ sessionId: 's', title: 't', history }), 'Continue')
    expect(isLoaded('formats')).toBe(true)
    await open('session.jsonl', claudeCode(), 'Claude Code')
    expect(faults).toEqual([])
  })
})
