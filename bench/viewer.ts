/**
 * The viewer's weight and its frames: sizes of the scripts, and main-thread work while a 20 MB session is scrolled, beside an empty list.
 * Prints a table; needs a Chromium, named by CHROME_PATH or Debian's.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { chromium, type Page } from 'playwright-core'
import { serveView } from '../src/viewer/serve.ts'

const FRAMES = 300

function sizes(): void {
  const folder = 'dist/viewer/assets'
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(`${folder}/${name}`)
    console.log(
      `${name.padEnd(28)} ${(bytes.length / 1000).toFixed(1)} kB, gzipped ${(gzipSync(bytes, { level: 9 }).length / 1000).toFixed(1)} kB`,
    )
  }
}

function session(bytes: number): Buffer {
  const messages: unknown[] = []
  for (let size = 0, i = 0; size < bytes; i++) {
    const text = `line of output ${i}\n`.repeat(1 + ((i * 131) % 900))
    const id = `toolu_${i}`
    messages.push({ role: 'user', content: `Question ${i}` })
    messages.push({
      role: 'assistant',
      content: [{ type: 'tool_use', id, name: 'Bash', input: { command: `step ${i}` } }],
    })
    messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text }] })
    messages.push({ role: 'assistant', content: `Answer ${i}` })
    size += text.length + 300
  }
  return Buffer.from(JSON.stringify(messages))
}

/** Milliseconds of script, style and layout in each frame while the list scrolls, and the time between frames. */
async function scroll(page: Page): Promise<{ work: number[]; gaps: number[] }> {
  return page.evaluate(`new Promise((done) => {
    const list = document.querySelector('#rows')
    const work = [], gaps = []
    let last = performance.now()
    const channel = new MessageChannel()
    let begun = 0
    channel.port1.onmessage = () => { work.push(performance.now() - begun) }
    const frame = (now) => {
      gaps.push(now - last)
      last = now
      begun = performance.now()
      list.scrollTop += 240
      channel.port2.postMessage(0)
      if (gaps.length < ${FRAMES}) requestAnimationFrame(frame)
      else setTimeout(() => done({ work, gaps: gaps.slice(1) }), 100)
    }
    requestAnimationFrame(frame)
  })`) as Promise<{ work: number[]; gaps: number[] }>
}

async function measure(title: string, bytes: Buffer): Promise<void> {
  const view = await serveView({ name: 'bench.json', read: async () => bytes })
  const browser = await chromium.launch({
    executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  const begun = performance.now()
  await page.goto(view.url)
  await page.waitForSelector('.row .side')
  const opened = performance.now() - begun
  await page.waitForTimeout(2_000)
  const { work, gaps } = await scroll(page)
  work.sort((a, b) => a - b)
  const p95 = work[Math.floor(work.length * 0.95)] ?? 0
  const late = gaps.filter((gap) => gap > 25).length
  console.log(
    `${title.padEnd(28)} first rows ${Math.round(opened)} ms, work per frame p95 ${p95.toFixed(1)} ms, ${late} of ${gaps.length} frames over 25 ms`,
  )
  await browser.close()
  await view.close()
}

sizes()
await measure(
  '2 messages',
  Buffer.from(
    JSON.stringify([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'hello' },
    ]),
  ),
)
await measure('20 MB session', session(20_000_000))
