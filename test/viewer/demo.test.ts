/** The page of `suture serve --demo`, in a real browser: the rejection, the repair, what was inserted, the conversation beside it. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demonstrate } from '../../src/cli/server/demo.ts'
import { openStore } from '../../src/session.ts'
import { gatewayViewer } from '../../src/viewer/gateway-viewer.ts'
import { type Running, running } from '../gateway/start-gateway.ts'
import { skippable } from '../skip-reasons.ts'
import { built, launch, missing, openPage, violations } from './browser.ts'

describe.skipIf(missing)(skippable('the page of the demonstration', missing), () => {
  let browser: Browser
  let gateway: Running
  beforeAll(async () => {
    built()
    const page = { session: 'demo-1', stories: [] }
    gateway = await running({ store: await openStore('memory:'), viewer: gatewayViewer(page)! })
    const { signal } = new AbortController()
    const shown = { page, print: () => {}, colors: false, width: 100, pauseMs: 0, signal }
    await (await demonstrate(gateway.url, gateway.contract.url, shown)).conversation
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.close()
  })

  it('shows the 400 of a broken history, repairs it, and keeps the conversation beside it', async () => {
    const { page, faults } = await openPage(browser, `${gateway.url}/suture/viewer/#/demo`)
    const head = page.getByRole('region', { name: 'What the provider answers' })
    await head.getByText('HTTP 400').waitFor()
    expect(await head.textContent()).toContain('function response parts')
    await page.waitForSelector('.finding.error')
    const beside = page.getByRole('complementary', { name: 'Conversation through the gateway' })
    await beside.getByText('user I pressed Escape before').waitFor()
    await beside.getByText('weather({"city":"Oslo"})').waitFor()
    expect(await violations(page, '.demo-head')).toEqual([])
    expect(await violations(page, '.recorded')).toEqual([])

    await page.getByRole('link', { name: /^Escape was pressed/ }).click()
    await head.getByText('toolu_1').waitFor()
    expect(await page.textContent('#rows')).not.toContain('No result')
    await head.getByRole('button', { name: 'Repair' }).click()
    await head.getByText('HTTP 200').waitFor()
    await page.waitForFunction(() => document.querySelector('#rows')?.textContent?.includes('No result'))
    await head.getByRole('button', { name: 'Undo the repair' }).click()
    await head.getByText('HTTP 400').waitFor()
    await page.locator('.row .place').first().click()
    await head.getByText('HTTP 400').waitFor()
    expect(faults).toEqual([])
  })

  it('names what a repair has inserted, and calls nothing live that is not', async () => {
    const { page, faults } = await openPage(browser, `${gateway.url}/suture/viewer/#/requests`)
    await page.getByRole('button', { name: /anthropic/ }).click()
    await page.getByText('/messages/2: adds user message (result toolu_1)').waitFor()
    await page.getByText('no request at present').waitFor({ timeout: 20_000 })
    expect(await page.getByText('live', { exact: true }).count()).toBe(0)
    await page.getByRole('link', { name: 'Demonstration' }).click()
    await page.locator('.recorded').getByText('ended').waitFor()
    expect(faults).toEqual([])
  })
})
