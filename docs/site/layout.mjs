/**
 * Opens every page of the built site in four widths and reports those that are wider than the window, and what axe finds
 * on one page of each kind. Usage: npm run check:site. Needs a Chromium, named by CHROME_PATH or Debian's.
 */
import { createReadStream, existsSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import { chromium } from 'playwright-core'
import { htmlOf } from './anchors.mjs'

/** 720 is a window of 1440 at a zoom of 200 %. */
const WIDTHS = [1440, 1024, 720, 390]
const AXE = ['index.html', 'guide/guard.html', 'rules/role-order.html', 'api/suture/compact.html', 'benchmarks.html']
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }

const root = fileURLToPath(new URL('../..', import.meta.url))
const site = join(root, 'dist/site')
const pictures = join(root, 'dist/site-screenshots')
mkdirSync(pictures, { recursive: true })
const server = createServer(({ url }, response) => {
  const path = join(site, new URL(url, 'http://localhost').pathname)
  const file = path.endsWith('/') ? `${path}index.html` : path
  if (!existsSync(file)) return response.writeHead(404).end()
  response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
  createReadStream(file).pipe(response)
})
await new Promise((done) => server.listen(0, '127.0.0.1', done))
const base = `http://127.0.0.1:${server.address().port}`
const browser = await chromium.launch({
  executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const context = await browser.newContext()
const page = await context.newPage()

const faults = []
const names = htmlOf(site).filter((name) => name !== '404.html')
for (const name of names) {
  await page.goto(`${base}/${name}`)
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    if (over > 0) faults.push(`${name} at ${width}: ${over} px too wide`)
    if (!AXE.includes(name)) continue
    await page.screenshot({ path: join(pictures, `${name.replaceAll('/', '-')}-${width}.png`) })
    const { violations } = await new AxeBuilder({ page }).analyze()
    faults.push(...violations.map(({ id, nodes }) => `${name} at ${width}: axe ${id}, ${nodes[0].html.slice(0, 120)}`))
  }
}
await browser.close()
server.close()
for (const fault of faults) console.error(fault)
console.log(`${names.length} pages in ${WIDTHS.length} widths: ${faults.length} faults`)
process.exitCode = faults.length > 0 ? 1 : 0
