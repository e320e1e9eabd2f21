/**
 * The viewer with files, in a real browser: findings, repair, download, verdicts, keys, find, hostile content,
 * accessibility.
 */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lint } from '../../src/index.ts'
import { checkSessionFile, openSessionFile } from '../../src/session-files/index.ts'
import { skippable } from '../skip-reasons.ts'
import { downloaded, eventually, launch, missing, openFile, openPage, staticPage, violations } from './browser.ts'
import { broken, claudeCode } from './samples.ts'

describe.skipIf(missing)(skippable('files in the viewer', missing), () => {
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

  it('shows findings at their place, repairs a copy, and downloads a file that is valid', async () => {
    const { page, faults } = await openPage(browser, site.url)
    await openFile(page, 'broken.json', JSON.stringify(broken))
    await eventually(() => page.textContent('.verdict-pill')).toMatch(/anthropic rejects it: \d+ errors?/)
    await eventually(() => page.locator('.row .finding .rule').allTextContents()).toContain('tool-result-missing')
    await eventually(() => page.locator('.part.open').count()).toBe(1)
    await eventually(() => page.locator('.part.loose').count()).toBe(1)
    await page.click('button.primary')
    await page.waitForSelector('.verdict-pill.good')
    const value = JSON.parse(await downloaded(page, 'Download file'))
    expect(lint(value, { provider: 'anthropic' }).filter(({ severity }) => severity === 'error')).toEqual([])
    const patch = JSON.parse(await downloaded(page, 'Download patch'))
    expect(patch.length).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.waitForSelector('.verdict-pill:not(.good)')
    expect(JSON.parse(await downloaded(page, 'Download file'))).toEqual(broken)
    expect(faults).toEqual([])
  })

  it('downloads what the repair changes around the messages, and opens a damaged history', async () => {
    const { page, faults } = await openPage(browser, site.url)
    const messages = [{ role: 'system', content: 'Be brief.' }, ...broken.messages]
    await openFile(page, 'body.json', JSON.stringify({ ...broken, messages }))
    await eventually(() => page.textContent('.verdict-pill')).toMatch(/anthropic rejects it/)
    await page.click('button.primary')
    await page.waitForSelector('.verdict-pill.good')
    expect(JSON.parse(await downloaded(page, 'Download file')).system).toBe('Be brief.')
    await page.evaluate(() => {
      location.hash = '#/'
    })
    await openFile(page, 'cut.json', JSON.stringify(broken).slice(0, -20))
    await eventually(() => page.locator('.panel .finding .rule').allTextContents()).toContain('document-cut-short')
    expect(faults).toEqual([])
  })

  it('repairs a broken Claude Code file', async () => {
    const { page, faults } = await openPage(browser, site.url)
    const text = claudeCode()
    await openFile(page, '5f3c0d5e-0000-4000-8000-000000000001.jsonl', text)
    await eventually(() => page.textContent('.toolbar')).toContain('Claude Code')
    await eventually(() => page.locator('.panel .finding').count()).toBeGreaterThan(0)
    await page.click('button.primary')
    await page.waitForSelector('.verdict-pill.good')
    const bytes = Buffer.from(await downloaded(page, 'Download file'))
    const errors = checkSessionFile(openSessionFile({ bytes, path: 'x.jsonl' }, { format: 'claude-code' })).filter(
      ({ severity }) => severity === 'error',
    )
    expect(errors).toEqual([])
    expect(bytes.toString().split('\n')[0]).toBe(text.split('\n')[0])
    expect(faults).toEqual([])
  })

  it('changes the verdict with the provider', async () => {
    const { page } = await openPage(browser, site.url)
    const messages = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'hello', reasoning_content: 'thinking' },
      { role: 'user', content: 'and?' },
    ]
    await openFile(page, 'chat.json', JSON.stringify(messages))
    const verdicts = new Set<string>()
    for (const provider of ['openai', 'mistral', 'deepseek', 'strictest']) {
      await page.selectOption('select[aria-label=Provider]', provider)
      await page.waitForFunction(
        (name) => document.querySelector('.verdict-pill')?.textContent?.includes(name),
        provider,
      )
      verdicts.add((await page.textContent('.verdict-pill'))!.replace(provider, ''))
    }
    expect(verdicts.size).toBeGreaterThan(1)
  })

  it('shows the stored history beside the repaired request', async () => {
    const { page } = await openPage(browser, site.url)
    await openFile(page, 'broken.json', JSON.stringify(broken))
    await page.keyboard.press('p')
    await page.keyboard.press('s')
    await page.waitForSelector('.sides')
    await eventually(() => page.locator('.row.status-changed, .row.status-added').count()).toBeGreaterThan(0)
    await eventually(() => page.textContent('.verdict-pill')).toContain('after the repair anthropic accepts it')
    const sent = page.locator('.sides > :nth-child(2)')
    await eventually(() => sent.locator('.part.open, .part.loose').count()).toBe(0)
    await eventually(() => sent.locator('.part.synthetic').count()).toBe(1)
    await eventually(() => page.locator('.sides > :nth-child(1) .part.open').count()).toBe(1)
    const rows = await page.locator('.row').evaluateAll((all) => all.map((row) => row.getAttribute('data-row')))
    expect(new Set(rows).size).toBe(rows.length)
  })

  it('explains a pasted error and names the place in the open file', async () => {
    const { page } = await openPage(browser, site.url)
    await openFile(page, 'broken.json', JSON.stringify(broken))
    await page.keyboard.press('5')
    await page.fill(
      'textarea',
      '400 messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_b',
    )
    await page.getByRole('button', { name: 'Show message 2' }).click()
    await eventually(() => page.textContent('.panel .rule')).toBe('tool-result-missing')
    await eventually(() => page.getAttribute('.row.active', 'data-row')).toBe('1')
  })

  it('is driven by the keyboard, and links to messages', async () => {
    const { page } = await openPage(browser, site.url)
    await openFile(page, 'broken.json', JSON.stringify(broken))
    await page.keyboard.press('n')
    await eventually(() => page.getAttribute('.row.active', 'data-row')).toBe('1')
    await page.keyboard.press('j')
    await eventually(() => page.getAttribute('.row.active', 'data-row')).toBe('2')
    await page.keyboard.press('?')
    await page.waitForSelector('dialog[open]')
    await page.keyboard.press('Escape')
    await page.evaluate(() => {
      location.hash = '#/file/main/4'
    })
    await page.waitForSelector('.row.active[data-row="4"]')
  })

  it('is not broken by hostile content, and runs none of it', async () => {
    const { page, faults } = await openPage(browser, site.url)
    const hostile = [
      '<script>window.ran = 1</script>',
      '<img src=x onerror="window.ran = 1">',
      '[x](javascript:window.ran=1)',
      '\u202Eevil\u202C \u0000 \uD800',
      'x'.repeat(5_000_000),
    ]
    const messages = hostile.flatMap((text) => [
      { role: 'user', content: text },
      {
        role: 'assistant',
        content: [
          {
            type: 'tool_use',
            id: '"><script>window.ran=1</script>',
            name: '<b>',
            input: { '<i>': text.slice(0, 100) },
          },
        ],
      },
    ])
    await openFile(page, '<img src=x onerror=window.ran=1>.json', JSON.stringify(messages))
    await page.keyboard.press('End')
    await page.keyboard.press('2')
    await page.waitForSelector('.window')
    expect(await page.evaluate(() => (window as unknown as { ran?: number }).ran)).toBeUndefined()
    expect(await page.locator('#rows script, #rows img, #rows b').count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('holds 50,000 messages, mounts few of them, and finds text in rows that are not mounted', async () => {
    const { page, faults } = await openPage(browser, site.url)
    const messages = Array.from({ length: 50_000 }, (_, i) => ({
      role: i % 2 ? 'assistant' : 'user',
      content: i === 43_210 ? 'the needle' : `message ${i}`,
    }))
    await openFile(page, 'long.json', JSON.stringify(messages))
    expect(await page.locator('.row').count()).toBeLessThan(100)
    await page.keyboard.press('/')
    await page.fill('input[type=search]', 'the needle')
    await page.waitForSelector('.row[data-row="43210"]')
    await eventually(() => page.textContent('.find')).toContain('1 of 1')
    await page.mouse.click(1280 - 400 - 32, 790)
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.row')].some((row) => Number(row.getAttribute('data-row')) > 48_000),
    )
    expect(await page.locator('.row').count()).toBeLessThan(100)
    expect(faults).toEqual([])
  })

  it.each([false, true])('is accessible (dark: %s)', async (dark) => {
    const { page, faults } = await openPage(browser, site.url, dark)
    expect(await violations(page)).toEqual([])
    await openFile(page, 'broken.json', JSON.stringify(broken))
    await page.keyboard.press('p')
    await page.keyboard.press('s')
    await page.waitForSelector('.sides')
    expect(await violations(page)).toEqual([])
    for (const [key, content] of [
      ['2', '.window'],
      ['3', '.panel .numbers'],
      ['4', '.compared'],
      ['5', 'textarea'],
    ] as const) {
      await page.keyboard.press(key)
      await page.waitForSelector(content)
      expect(await violations(page, '.panel')).toEqual([])
    }
    expect(faults).toEqual([])
  })

  it('opens links to conversations, messages and findings', async () => {
    const { page } = await openPage(browser, site.url)
    const lines = [broken, { ...broken, messages: broken.messages.slice(0, 2) }].map((one) => JSON.stringify(one))
    await openFile(page, 'set.jsonl', lines.join('\n'))
    const ids = await page
      .locator('select[aria-label=Conversation] option')
      .evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value))
    await page.selectOption('select[aria-label=Conversation]', ids[1]!)
    await page.waitForFunction(() => document.querySelectorAll('.row').length === 2)
    expect(decodeURIComponent(new URL(page.url()).hash)).toBe(`#/file/${ids[1]}`)
    await page.evaluate((id) => {
      location.hash = `#/file/${encodeURIComponent(id)}/finding/1`
    }, ids[0]!)
    await eventually(() => page.locator('.row').count()).toBe(6)
    await page.waitForSelector('.row.active .finding')
    const rule = await page.locator('.row .finding a.rule').first().getAttribute('href')
    const answer = await page.request.get(new URL(rule!, site.url).href)
    expect(await answer.text()).toContain('# tool-result-missing')
  })

  it('copies as request, cURL and test case', async () => {
    const { page } = await openPage(browser, site.url)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await openFile(page, 'broken.json', JSON.stringify(broken))
    const copied = async (as: string) => {
      await page.evaluate(() => navigator.clipboard.writeText(''))
      await page.selectOption('select[aria-label=Copy]', as)
      await page.waitForFunction(() => document.querySelector('.notice')?.textContent?.startsWith('Copied'))
      const read = () => page.evaluate(() => navigator.clipboard.readText())
      await eventually(read).not.toBe('')
      return read()
    }
    expect(JSON.parse(await copied('request'))).toEqual(broken)
    expect(await copied('curl')).toMatch(/^curl https:\/\/api\.anthropic\.com\/v1\/messages/)
    expect(await copied('test')).toContain('"tool-result-missing"')
  })
})
