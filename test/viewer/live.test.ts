/**
 * The viewer while traffic passes the gateway: nothing that is being read moves, and sessions are searched and deleted.
 */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../src/session.ts'
import { gatewayViewer } from '../../src/viewer/gateway-viewer.ts'
import { type Running, running } from '../gateway/start-gateway.ts'
import { skippable } from '../skip-reasons.ts'
import { built, eventually, launch, missing, openPage, settledOffset, violations } from './browser.ts'
import { sendPrompt } from './send-prompt.ts'

interface Shifting {
  shifts: string[]
}

interface Shift {
  readonly value: number
  readonly sources: readonly { readonly node?: { readonly className?: string } }[]
}

/** Layout shifts that no person caused, with what moved. */
async function watchShifts(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const seen = window as unknown as Shifting
    seen.shifts = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as Shift[])
        seen.shifts.push(`${entry.value} ${entry.sources.map(({ node }) => node?.className).join(', ')}`)
    }).observe({ type: 'layout-shift' })
  })
  return async () => {
    // Observers get what moved after the frame was painted.
    await page.waitForTimeout(100)
    return page.evaluate(() => (window as unknown as Shifting).shifts)
  }
}

/** In the page: whether the end of the conversation is on screen, below a start that is not. */
function atEnd(): boolean {
  const rows = document.querySelector('#rows')
  return rows !== null && rows.scrollTop > 0 && rows.scrollTop + rows.clientHeight >= rows.scrollHeight - 8
}

describe.skipIf(missing)(skippable('the viewer under live traffic', missing), () => {
  let browser: Browser
  let gateway: Running
  beforeAll(async () => {
    built()
    gateway = await running({ store: await openStore('memory:'), viewer: gatewayViewer()! })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.close()
  })

  it('counts new messages of a session, and moves nothing that is read', async () => {
    for (let i = 0; i < 8; i++) await sendPrompt(gateway.url, 'long', `question ${i}\n${'a line of it\n'.repeat(12)}`)
    const { page, faults } = await openPage(browser, `${gateway.url}/suture/viewer/#/session/long`)
    await page.waitForSelector('.row[data-row="15"]')
    await page.waitForFunction(() => document.querySelectorAll('[aria-label=Provider] option').length > 1)
    await eventually(() => page.inputValue('[aria-label=Provider]')).toBe('openai')
    await page.evaluate(() => {
      document.querySelector('#rows')!.scrollTop = 300
    })
    await page.waitForSelector('.row[data-row="2"]')
    await page.waitForSelector('.latest')
    await eventually(() => page.textContent('.latest')).toBe('Jump to latest ↓')
    expect(await settledOffset(page)).toBe(300)
    const shifts = await watchShifts(page)
    const kept = await page.locator('.row[data-row="2"]').elementHandle()
    await sendPrompt(gateway.url, 'long', 'one more question')
    await page.waitForSelector('.unseen')
    await eventually(() => page.textContent('.unseen')).toContain('2 new')
    expect(await page.evaluate(() => document.querySelector('#rows')!.scrollTop)).toBe(300)
    expect(await shifts()).toEqual([])
    expect(await kept!.evaluate((row) => row.isConnected)).toBe(true)
    await page.click('.unseen')
    await page.waitForFunction(() => document.querySelector('#rows')?.textContent?.includes('one more question'))
    await page.waitForSelector('.unseen', { state: 'detached' })
    await sendPrompt(gateway.url, 'long', 'the last question')
    await page.waitForFunction(() => document.querySelector('#rows')?.textContent?.includes('the last question'))
    expect(await shifts()).toEqual([])
    expect(faults).toEqual([])
  })

  it('opens a session at its end, marks it as live, and follows what arrives', async () => {
    for (let i = 0; i < 8; i++)
      await sendPrompt(gateway.url, 'followed', `question ${i}\n${'a line of it\n'.repeat(12)}`)
    const { page, faults } = await openPage(browser, `${gateway.url}/suture/viewer/#/session/followed`)
    await page.waitForFunction(atEnd)
    await page.waitForSelector('.live.good.arriving')
    await eventually(() => page.textContent('.live')).toBe('live')
    for (let i = 0; i < 3; i++) {
      await sendPrompt(gateway.url, 'followed', `more ${i}\n${'a line of it\n'.repeat(30)}`)
      await page.waitForFunction((i) => document.querySelector('#rows')?.textContent?.includes(`more ${i}`), i)
      await page.waitForFunction(atEnd)
    }
    await eventually(() => page.locator('.latest').count()).toBe(0)
    expect(await violations(page)).toEqual([])
    expect(faults).toEqual([])
  })

  it('stays at the message that the link names while records arrive', async () => {
    const { page } = await openPage(browser, `${gateway.url}/suture/viewer/#/session/followed/4`)
    await page.waitForSelector('.row.active[data-row="4"]')
    await page.waitForSelector('.latest')
    await page.mouse.move(300, 400)
    await page.mouse.wheel(0, 500)
    const before = await settledOffset(page)
    await sendPrompt(gateway.url, 'followed', 'while it is read')
    await page.waitForSelector('.unseen')
    expect(await page.evaluate(() => document.querySelector('#rows')!.scrollTop)).toBe(before)
  })

  it('recommends the preview only when there is a repair to show', async () => {
    const { page } = await openPage(browser, `${gateway.url}/suture/viewer/#/session/followed`)
    const preview = page.getByRole('button', { name: 'Preview repair' })
    await preview.waitFor()
    await eventually(() => preview.isDisabled()).toBe(true)
    await eventually(() => page.textContent('.panel-body')).not.toContain('Preview repair')
  })

  it('shows every link and action on a phone', async () => {
    const { page } = await openPage(browser, 'about:blank')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${gateway.url}/suture/viewer/#/session/followed`)
    await page.waitForSelector('.row .side')
    const places = await page.locator('.top :is(a, button), .toolbar :is(button, select, input)').evaluateAll((all) =>
      all.map((one) => {
        const { left, right, top, bottom, width } = one.getBoundingClientRect()
        const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
        return { name: one.textContent, shown: width > 0 && left >= 0 && right <= innerWidth && one.contains(hit) }
      }),
    )
    expect(places.length).toBeGreaterThan(12)
    expect(places.filter(({ shown }) => !shown)).toEqual([])
  })

  it('marks in the minimap all rows that fit on the screen', async () => {
    await sendPrompt(gateway.url, 'short', 'a question')
    const { page } = await openPage(browser, `${gateway.url}/suture/viewer/#/session/short`)
    await page.waitForSelector('.row[data-row="1"]')
    await page.waitForFunction(() => {
      const view = document.querySelector('.minimap-view')!.getBoundingClientRect()
      return view.height > document.querySelector('.minimap')!.getBoundingClientRect().height * 0.9
    })
  })

  it('keeps the list of requests still while the reader has scrolled down', async () => {
    const { page, faults } = await openPage(browser, `${gateway.url}/suture/viewer/#/requests`)
    await page.setViewportSize({ width: 1280, height: 300 })
    await page.waitForSelector('.list')
    await page.evaluate(() => document.querySelector('#requests')!.scrollTo({ top: 120 }))
    await page.waitForTimeout(100)
    const before = await page.locator('.list tbody tr').count()
    await sendPrompt(gateway.url, 'other', 'hello')
    await page.waitForSelector('.pill')
    await eventually(() => page.textContent('.pill')).toBe('1 new')
    expect(await page.locator('.list tbody tr').count()).toBe(before)
    await page.click('.pill')
    await page.waitForFunction((count) => document.querySelectorAll('.list tbody tr').length > count, before)
    expect(faults).toEqual([])
  })

  it.each([false, true])('lists, filters and deletes sessions (dark: %s)', async (dark) => {
    await sendPrompt(gateway.url, 'to-delete', 'hello')
    const { page, faults } = await openPage(browser, `${gateway.url}/suture/viewer/#/sessions`, dark)
    await page.getByRole('link', { name: 'to-delete' }).waitFor()
    expect(await violations(page)).toEqual([])
    await eventually(() => page.textContent('.list')).toMatch(/\d{2}:\d{2}:\d{2}/)
    await page.fill('input[type=search]', 'to-del')
    await page.waitForFunction(() => document.querySelectorAll('.list tbody tr').length === 1)
    page.once('dialog', (dialog) => void dialog.dismiss())
    await page.getByRole('button', { name: 'Delete' }).click()
    expect(await gateway.ids()).toContain('to-delete')
    page.once('dialog', (dialog) => void dialog.accept())
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.waitForSelector('.empty')
    expect(await gateway.ids()).not.toContain('to-delete')
    expect(faults).toEqual([])
  })
})
