/** Earlier versions of a message and branches of a recorded session, in a real browser. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../src/session.ts'
import { gatewayViewer } from '../../src/viewer/gateway-viewer.ts'
import { type Running, running } from '../gateway/start-gateway.ts'
import { skippable } from '../skip-reasons.ts'
import { built, launch, missing, openPage } from './browser.ts'

describe.skipIf(missing)(skippable('versions in the viewer', missing), () => {
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

  async function ask(...texts: string[]) {
    const response = await fetch(`${gateway.url}/openai/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'suture-session': 'chat' },
      body: JSON.stringify({ model: 'gpt-4o', messages: texts.map((content) => ({ role: 'user', content })) }),
    })
    expect(response.status).toBe(200)
    await response.text()
  }

  it('a message that took the place of another one has a mark with the earlier one, and branches are listed', async () => {
    await ask('What is the wether in Rome?')
    await ask('What is the weather in Rome?')
    await ask('Name the capital of France, please.')
    const { page, faults } = await openPage(browser, `${gateway.url}/suture/viewer/#/session/chat`)
    await page.getByRole('button', { name: 'version 2 of 2' }).click()
    await page.waitForFunction(() => document.querySelector('.versions')?.textContent?.includes('wether in Rome'))
    await page.keyboard.press('3')
    await page.getByRole('link', { name: 'chat~2', exact: true }).click()
    await page.waitForFunction(() => document.querySelector('#rows')?.textContent?.includes('capital of France'))
    expect(faults).toEqual([])
  })
})
