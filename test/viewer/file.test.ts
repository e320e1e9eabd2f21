/** The viewer with files, in a real browser: findings, repair, download, verdicts, keys, find, hostile content, accessibility. */
import { readFileSync } from 'node:fs'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lint } from '../../src/index.ts'
import { checkSessionFile, openSessionFile } from '../../src/session-files/index.ts'
import { skippable } from '../skip-reasons.ts'
import { launch, missing, openFile, openPage, staticPage } from './browser.ts'

const broken = {
  model: 'claude-sonnet-4-5',
  max_tokens: 100,
  messages: [
    { role: 'user', content: 'Why does the login test fail?' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'toolu_a', name: 'Read', input: { path: 'a' } },
        { type: 'tool_use', id: 'toolu_b', name: 'Bash', input: { command: 'npm test' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_a', content: 'the file' }] },
    { role: 'user', content: 'Did it pass?' },
    { role: 'assistant', content: 'Yes.' },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_gone', content: 'left over' }] },
  ],
}

/** A Claude Code session whose last call has no result and whose last line is torn. */
function claudeCode(): string {
  const base = {
    sessionId: '5f3c0d5e-0000-4000-8000-000000000001',
    version: '2.1.0',
    cwd: '/repo',
    isSidechain: false,
    userType: 'external',
  }
  const record = (uuid: string, parentUuid: string | null, type: string, message: unknown) =>
    JSON.stringify({ parentUuid, ...base, type, message, uuid, timestamp: '2026-05-01T10:00:00.000Z' })
  const reply = (id: string, content: unknown) => ({
    id,
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content,
    stop_reason: 'tool_use',
    usage: { input_tokens: 900, output_tokens: 40 },
  })
  return [
    record('u1', null, 'user', { role: 'user', content: 'Fix the test.' }),
    record(
      'a1',
      'u1',
      'assistant',
      reply('msg_1', [{ type: 'tool_use', id: 'toolu_1', name: 'Read', input: { path: 'a' } }]),
    ),
    record('u2', 'a1', 'user', {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }],
    }),
    record('u3', 'u2', 'user', {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_gone', content: 'of no call' }],
    }),
    record('u4', 'u3', 'user', { role: 'user', content: 'Go on.' }),
    '{"parentUuid":"u4","type":"assist',
  ].join('\n')
}

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
    expect(await page.textContent('.verdict-pill')).toMatch(/anthropic rejects it: \d+ errors?/)
    expect(await page.locator('.row .finding .rule').allTextContents()).toContain('tool-result-missing')
    expect(await page.locator('.part.open').count()).toBe(1)
    expect(await page.locator('.part.loose').count()).toBe(1)
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

  it('repairs a broken Claude Code file', async () => {
    const { page, faults } = await openPage(browser, site.url)
    const text = claudeCode()
    await openFile(page, '5f3c0d5e-0000-4000-8000-000000000001.jsonl', text)
    expect(await page.textContent('.toolbar')).toContain('Claude Code')
    expect(await page.locator('.panel .finding').count()).toBeGreaterThan(0)
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

  it('shows what is stored beside what the repaired request contains', async () => {
    const { page } = await openPage(browser, site.url)
    await openFile(page, 'broken.json', JSON.stringify(broken))
    await page.keyboard.press('p')
    await page.keyboard.press('s')
    await page.waitForSelector('.sides')
    expect(await page.locator('.row.status-changed, .row.status-added').count()).toBeGreaterThan(0)
    expect(await page.textContent('.verdict-pill')).toContain('after the repair anthropic accepts it')
    const sent = page.locator('.sides > :nth-child(2)')
    expect(await sent.locator('.part.open, .part.loose').count()).toBe(0)
    expect(await sent.locator('.part.synthetic').count()).toBe(1)
    expect(await page.locator('.sides > :nth-child(1) .part.open').count()).toBe(1)
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
    expect(await page.textContent('.panel .rule')).toBe('tool-result-missing')
    expect(await page.getAttribute('.row.active', 'data-row')).toBe('1')
  })

  it('is driven by the keyboard, and links to messages', async () => {
    const { page } = await openPage(browser, site.url)
    await openFile(page, 'broken.json', JSON.stringify(broken))
    await page.keyboard.press('n')
    expect(await page.getAttribute('.row.active', 'data-row')).toBe('1')
    await page.keyboard.press('j')
    expect(await page.getAttribute('.row.active', 'data-row')).toBe('2')
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
    expect(await page.textContent('.find')).toContain('1 of 1')
    await page.mouse.click(1280 - 400 - 32, 790)
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.row')].some((row) => Number(row.getAttribute('data-row')) > 48_000),
    )
    expect(await page.locator('.row').count()).toBeLessThan(100)
    expect(faults).toEqual([])
  })

  it.each([false, true])('is accessible (dark: %s)', async (dark) => {
    const { page } = await openPage(browser, site.url, dark)
    expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([])
    await openFile(page, 'broken.json', JSON.stringify(broken))
    for (const key of ['1', '2', '3', '4', '5']) {
      await page.keyboard.press(key)
      await page.waitForTimeout(200)
      expect(
        (await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`),
      ).toEqual([])
    }
  })
})

async function downloaded(page: Page, name: string): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()])
  return readFileSync((await download.path())!, 'utf8')
}
