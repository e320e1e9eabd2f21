/**
 * The page as one HTML file from disk, and `suture view`: one file, a link that works once, writing by plan, backup and
 * undo.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lint } from '../../src/index.ts'
import { checkSessionFile, openSessionFile } from '../../src/session-files/index.ts'
import { serveViewer } from '../../src/viewer/command.ts'
import { skippable } from '../skip-reasons.ts'
import { built, downloaded, eventually, launch, missing, openFile, openPage } from './browser.ts'
import { broken, claudeCode } from './samples.ts'

const root = join(import.meta.dirname, '../..')

describe.skipIf(missing)(skippable('the viewer without a gateway', missing), () => {
  let browser: Browser
  let folder: string
  beforeAll(async () => {
    built()
    folder = mkdtempSync(join(tmpdir(), 'suture-view-'))
    process.env['SUTURE_STATE_DIR'] = join(folder, 'state')
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    delete process.env['SUTURE_STATE_DIR']
    rmSync(folder, { recursive: true, force: true })
  })

  it('works as one file from disk, without network requests', async () => {
    const env = { ...process.env, SUTURE_SINGLE: '1' }
    execFileSync('npx', ['vite', 'build', '-c', 'src/viewer/vite.config.ts'], { cwd: root, stdio: 'ignore', env })
    const path = join(root, 'dist/viewer-single/index.html')
    expect(readFileSync(path, 'utf8')).toMatch(
      /Content-Security-Policy" content="default-src 'none'; script-src 'sha256-/,
    )
    const { page, faults } = await openPage(browser, pathToFileURL(path).href)
    await openFile(page, 'broken.json', JSON.stringify(broken))
    await page.click('button.primary')
    await page.waitForSelector('.verdict-pill.good')
    const value = JSON.parse(await downloaded(page, 'Download file'))
    expect(lint(value, { provider: 'anthropic' }).filter(({ severity }) => severity === 'error')).toEqual([])
    await page.keyboard.press('3')
    await page.waitForSelector('.panel .numbers')
    await page.evaluate(() => {
      location.hash = '#/'
    })
    await openFile(page, 'session.jsonl', claudeCode())
    await eventually(() => page.textContent('.toolbar')).toContain('Claude Code')
    expect(faults).toEqual([])
  })

  it('writes the file of `suture view` by plan and backup, and undoes it', async () => {
    const path = join(folder, '5f3c0d5e-0000-4000-8000-000000000001.jsonl')
    writeFileSync(path, claudeCode())
    const hourAgo = Date.now() / 1000 - 3600
    utimesSync(path, hourAgo, hourAgo)
    const { url, stop } = await view(path)
    try {
      const { page, faults } = await openPage(browser, url)
      await page.waitForSelector('.row .side')
      expect(page.url()).not.toContain('token')
      page.on('dialog', (dialog) => void dialog.accept())
      await page.getByRole('button', { name: 'Write to disk…' }).click()
      await page.waitForSelector('.verdict-pill.good')
      const written = readFileSync(path)
      const errors = checkSessionFile(openSessionFile({ bytes: written, path })).filter(
        ({ severity }) => severity === 'error',
      )
      expect(errors).toEqual([])
      await page.getByRole('button', { name: 'Undo on disk' }).click()
      await page.waitForSelector('.verdict-pill:not(.good)')
      expect(readFileSync(path, 'utf8')).toBe(claudeCode())
      expect(faults).toEqual([])
      const second = await openPage(browser, url)
      await second.page.waitForSelector('.banner.bad')
      await eventually(() => second.page.textContent('.banner')).toContain('The link has been used')
    } finally {
      await stop()
    }
  })
})

/** `suture view` in this process. */
async function view(path: string): Promise<{ url: string; stop(): Promise<unknown> }> {
  let end = () => {}
  const stopped = new Promise<string>((resolve) => {
    end = () => resolve('SIGINT')
  })
  let done: Promise<number> | undefined
  const url = await new Promise<string>((resolve, reject) => {
    const out = (text: string) => resolve(text.split('\n')[0]!)
    done = serveViewer([path], { open: false, out, untilStopped: () => stopped })
    done.catch(reject)
  })
  return {
    url,
    stop: () => {
      end()
      return done!
    },
  }
}
