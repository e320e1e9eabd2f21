/**
 * Pictures of the viewer's main views for the docs: `npm run screenshots` writes the two of the README to docs/images,
 * and all of them to dist/screenshots. Needs a Chromium, named by CHROME_PATH or Debian's.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { chromium, type Page } from 'playwright-core'
import { startContract } from '../contract/index.ts'
import { gateway } from '../src/gateway/index.ts'
import { openStore } from '../src/session.ts'
import { gatewayViewer } from '../src/viewer/gateway-viewer.ts'
import { recompressPng } from './recompress-png.ts'
import { brokenHistory } from './screenshot-history.ts'

const folder = 'dist/screenshots'
const published = new Set(['viewer-side-by-side', 'viewer-findings'])
for (const one of [folder, 'docs/images']) mkdirSync(one, { recursive: true })
const viewer = gatewayViewer()
if (!viewer) throw new Error('The viewer has not been built. Run `npm run build:viewer` first.')
const contract = await startContract({ maxRequests: 50 })
const upstreams = Object.fromEntries(
  (['openai', 'anthropic'] as const).map((name) => [name, { url: `${contract.url}/${name}`, provider: name }]),
)
const server = await gateway({ upstreams, store: await openStore('memory:'), viewer, log: () => {} }).listen({
  port: 0,
})
const browser = await chromium.launch({
  executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})

async function open(dark: boolean, size: { width: number; height: number }): Promise<Page> {
  const page = await browser.newPage({ viewport: size, colorScheme: dark ? 'dark' : 'light', deviceScaleFactor: 1 })
  await page.goto(`${server.url}/suture/viewer/`)
  return page
}

async function openHistory(page: Page): Promise<void> {
  const buffer = Buffer.from(JSON.stringify(brokenHistory()))
  await page.setInputFiles('input[type=file]', { name: 'login-fix.json', mimeType: 'application/json', buffer })
  await page.waitForSelector('.row .side')
}

async function take(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(700)
  await page.screenshot({ path: `${folder}/${name}.png` })
  if (published.has(name))
    writeFileSync(`docs/images/${name}.png`, recompressPng(readFileSync(`${folder}/${name}.png`)))
}

async function send(session: string, messages: readonly unknown[]): Promise<void> {
  const headers = { 'content-type': 'application/json', 'suture-session': session }
  const body = JSON.stringify({ model: 'gpt-4.1', messages })
  await (await fetch(`${server.url}/openai/v1/chat/completions`, { method: 'POST', headers, body })).text()
}

const wide = { width: 1180, height: 700 }
const light = await open(false, wide)
await take(light, 'viewer-home')
await openHistory(light)
await light.keyboard.press('n')
await take(light, 'viewer-findings')
await light.keyboard.press('p')
await light.keyboard.press('s')
await light.waitForSelector('.sides')
await light.keyboard.press('n')
await take(light, 'viewer-side-by-side')
const dark = await open(true, wide)
await openHistory(dark)
await dark.keyboard.press('2')
await take(dark, 'viewer-tokens-dark')
const phone = await open(false, { width: 390, height: 844 })
await openHistory(phone)
await take(phone, 'viewer-phone')

const call = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'run', arguments: '{}' } }],
}
for (const id of ['checkout-agent', 'docs-writer', 'ci-triage'])
  await send(id, [{ role: 'user', content: `Begin ${id}.` }])
await send('ci-triage', [{ role: 'user', content: 'Begin ci-triage.' }, call, { role: 'user', content: 'And now?' }])
const sessions = await open(false, wide)
await sessions.goto(`${server.url}/suture/viewer/#/sessions`)
await sessions.waitForSelector('.list')
await take(sessions, 'viewer-sessions')
await sessions.goto(`${server.url}/suture/viewer/#/requests`)
await sessions.waitForSelector('.list')
await take(sessions, 'viewer-requests')

await browser.close()
await server.close(0)
await contract.close()
