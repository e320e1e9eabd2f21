/**
 * The viewer in the gateway, in a real browser against a running gateway and contract: live sessions, requests, revert,
 * fork, compact, undo, keys.
 */
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compactor } from '../../src/cli/server/compactor.ts'
import { hashOf } from '../../src/gateway/index.ts'
import { openStore } from '../../src/session.ts'
import { gatewayViewer } from '../../src/viewer/gateway-viewer.ts'
import { type Running, running } from '../gateway/start-gateway.ts'
import { skippable } from '../skip-reasons.ts'
import { built, eventually, launch, missing, openPage } from './browser.ts'
import { sendPrompt } from './send-prompt.ts'

describe.skipIf(missing)(skippable('the viewer in the gateway', missing), () => {
  let browser: Browser
  let gateway: Running
  beforeAll(async () => {
    built()
    const viewer = gatewayViewer()!
    gateway = await running({ store: await openStore('memory:'), compactor, viewer })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.close()
  })

  it('shows a conversation as it happens, and reverts, forks, compacts and undoes', async () => {
    const { page, faults } = await openPage(browser, `${gateway.url}/suture/viewer/#/sessions`)
    page.on('dialog', (dialog) => void dialog.accept(dialog.type() === 'prompt' ? 'forked' : undefined))
    await page.waitForSelector('.empty')
    await sendPrompt(gateway.url, 'live', 'first question')
    await page.getByRole('link', { name: 'live', exact: true }).click()
    await page.waitForFunction(() => document.querySelector('#rows')?.textContent?.includes('first question'))
    await sendPrompt(gateway.url, 'live', 'second question')
    await page.waitForFunction(() => document.querySelector('#rows')?.textContent?.includes('second question'))

    await page.keyboard.press(']')
    await page.keyboard.press(']')
    await page.getByRole('button', { name: 'Revert turn 2…' }).click()
    await page.waitForFunction(() => !document.querySelector('#rows')?.textContent?.includes('second question'))
    await page.locator('.switches').getByRole('button', { name: 'Undo' }).click()
    await page.waitForFunction(() => document.querySelector('#rows')?.textContent?.includes('second question'))

    await page.keyboard.press('3')
    for (let i = 0; i < 6; i++)
      await sendPrompt(gateway.url, 'live', `part ${i}: ${'many words about the same matter. '.repeat(180)}`)
    await page.waitForFunction(() => document.querySelector('.toolbar')?.textContent?.includes('8 turns'))
    await page.getByRole('button', { name: 'Plan anyway' }).click()
    await page.waitForFunction(() => document.querySelector('.verdict')?.textContent?.includes('takes it from'))
    await page.getByRole('button', { name: 'Compact', exact: true }).click()
    await page.waitForFunction(() => document.querySelector('.fold')?.textContent?.includes('not in the next request'))
    await page.waitForSelector('.receipts li')
    await page.getByRole('button', { name: 'Undo the last change' }).click()
    await page.waitForFunction(() => document.querySelector('.fold') === null)
    await page.waitForFunction(() => document.querySelector('.receipts')?.textContent?.includes('undone'))
    await page.getByRole('button', { name: 'Fork…' }).click()
    await page.waitForFunction(() => document.querySelector('.toolbar .name')?.textContent === 'forked')
    await expect.poll(async () => (await gateway.ids()).sort()).toEqual(['forked', 'live'])
    expect(faults).toEqual([])
  })

  it('shows what the guard did with each request', async () => {
    const { page, faults } = await openPage(browser, `${gateway.url}/suture/viewer/#/requests`)
    const calls = [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }]
    const messages = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: null, tool_calls: calls },
      { role: 'user', content: 'and?' },
    ]
    await fetch(`${gateway.url}/openai/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4.1', messages }),
    })
    await page.waitForFunction(() => document.querySelector('.list')?.textContent?.includes('tool-result-missing'))
    await eventually(() => page.textContent('.list')).toContain('repaired')
    await page.locator('.request').first().click()
    await page.waitForFunction(() => document.querySelector('.details blockquote')?.textContent?.includes('tool_calls'))
    expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([])
    expect(faults).toEqual([])
  })

  it('answers no page of another origin, not even of another port on this machine', async () => {
    const ask = (path: string, headers: Record<string, string>, method = 'GET') =>
      fetch(`${gateway.url}/suture/v1/${path}`, { method, headers })
    for (const headers of [
      { origin: 'https://example.com' },
      { origin: 'http://localhost:5173' },
      { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
    ] as Record<string, string>[]) {
      expect((await ask('sessions', headers)).status).toBe(403)
      expect((await ask('events', headers)).status).toBe(403)
      expect((await ask('sessions/live/undo', headers, 'POST')).status).toBe(403)
    }
    expect((await ask('sessions', { origin: gateway.url })).status).toBe(200)
    expect((await ask('sessions', {})).headers.get('access-control-allow-origin')).toBeNull()
  })

  it('asks for the key, keeps it out of the address, and shows only the sessions of that key', async () => {
    const keys = [
      { name: 'ann', hash: hashOf('key-of-ann') },
      { name: 'ben', hash: hashOf('key-of-ben') },
    ]
    const guarded = await running({ store: await openStore('memory:'), viewer: gatewayViewer()!, keys })
    try {
      await sendPrompt(guarded.url, 'of-ann', 'hello', 'key-of-ann')
      await sendPrompt(guarded.url, 'of-ben', 'hello', 'key-of-ben')
      const { page } = await openPage(browser, `${guarded.url}/suture/viewer/#/sessions`)
      await page.fill('dialog input[type=password]', 'key-of-ann')
      await page.click('dialog button[type=submit]')
      await page.getByRole('link', { name: 'of-ann' }).waitFor()
      expect(await page.textContent('.list')).not.toContain('of-ben')
      expect(page.url()).not.toContain('key-of-ann')
      expect(await page.evaluate(() => localStorage.length + sessionStorage.length + document.cookie.length)).toBe(0)
    } finally {
      await guarded.close()
    }
  })
})
