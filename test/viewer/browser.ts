/**
 * A real browser for the tests of the viewer, and the page in its three modes. Console errors and requests to other
 * origins are collected for every test.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { pageFiles } from '../../src/viewer/files.ts'

const root = join(import.meta.dirname, '../..')

export const executable = [
  process.env['CHROME_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path))

/** Why the tests cannot run, if they cannot. */
export const missing =
  executable === undefined && 'no Chromium: install Debian’s package chromium, or name one with CHROME_PATH'

export function built(): void {
  if (pageFiles('view') === undefined)
    execFileSync('npx', ['vite', 'build', '-c', 'src/viewer/vite.config.ts'], { cwd: root, stdio: 'ignore' })
}

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: executable!, args: ['--no-sandbox'] })
}

/** The page as static files, with the policy that the servers send. */
export async function staticPage(): Promise<{ url: string; close(): void }> {
  built()
  const files = pageFiles('view')!
  const server = createServer((request, response) => {
    const found = files.get((request.url ?? '/').slice(1) || 'index.html')
    if (!found) return void response.writeHead(404).end()
    response.writeHead(200, [...found.headers])
    const isPage = request.url === '/'
    response.end(isPage ? Buffer.from(found.body).toString().replace('content="view"', 'content="static"') : found.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() }
}

export interface Watched {
  readonly page: Page
  /** Console errors, uncaught errors and requests to other origins. */
  readonly faults: string[]
}

export async function openPage(browser: Browser, url: string, dark = false): Promise<Watched> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme: dark ? 'dark' : 'light',
    acceptDownloads: true,
  })
  const page = await context.newPage()
  const faults: string[] = []
  // A page from disk has no origin: it may ask for itself, and for nothing else.
  const { origin, protocol } = new URL(url)
  const own = protocol === 'file:' ? url : origin
  page.on('console', (message) => message.type() === 'error' && faults.push(`console: ${message.text()}`))
  page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`))
  page.on('request', (request) => {
    const to = request.url()
    if (!to.startsWith(own) && !to.startsWith('data:') && !to.startsWith('blob:')) faults.push(`request: ${to}`)
  })
  await page.goto(url)
  return { page, faults }
}

/** Opens a file by dropping it on the page, and waits for its rows. */
export async function openFile(page: Page, name: string, content: string | Buffer): Promise<void> {
  await page.setInputFiles('input[type=file]', {
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(content),
  })
  await page.waitForSelector('.row .side')
}

/**
 * Reads the page until the expectation holds: what the page shows arrives in several frames, and on a busy machine they
 * are far apart.
 */
export function eventually<T>(read: () => Promise<T> | T) {
  return expect.poll(read, { timeout: 20_000, interval: 50 })
}

/** The scroll offset of the thread, once it no longer changes. */
export async function settledOffset(page: Page): Promise<number> {
  const read = () => page.evaluate(() => document.querySelector('#rows')!.scrollTop)
  let offset = await read()
  for (let same = 0; same < 4; ) {
    await page.waitForTimeout(100)
    const now = await read()
    same = now === offset ? same + 1 : 0
    offset = now
  }
  return offset
}

/** What axe finds, in the whole page or below a selector. */
export async function violations(page: Page, below?: string): Promise<readonly string[]> {
  const axe = new AxeBuilder({ page })
  const { violations } = await (below === undefined ? axe : axe.include(below)).analyze()
  return violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)
}

export async function downloaded(page: Page, name: string): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()])
  return readFileSync((await download.path())!, 'utf8')
}
