/**
 * Size and frames of the viewer: sizes of the scripts, and main-thread work per frame while a 20 MB session is
 * scrolled, compared with an empty list.
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

function claudeCode(messages: number): Buffer {
  const lines = Array.from({ length: messages }, (_, i) => {
    const role = i % 2 ? 'assistant' : 'user'
    const own = { uuid: `r${i}`, parentUuid: i === 0 ? null : `r${i - 1}`, sessionId: 's', version: '2.1.0' }
    return JSON.stringify({ ...own, type: role, isSidechain: false, message: { role, content: `message ${i}` } })
  })
  return Buffer.from(`${lines.join('\n')}\n`)
}

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly tid: number
  readonly pid: number
  readonly ts: number
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/** Scrolls by 240 pixels in each frame, and returns the times between frames. */
async function scroll(page: Page): Promise<number[]> {
  return page.evaluate(`new Promise((done) => {
    const list = document.querySelector('#rows')
    const gaps = []
    let last = performance.now()
    const frame = (now) => {
      gaps.push(now - last)
      last = now
      list.scrollTop += 240
      if (gaps.length < ${FRAMES}) requestAnimationFrame(frame)
      else setTimeout(() => done(gaps.slice(1)), 100)
    }
    requestAnimationFrame(frame)
  })`) as Promise<number[]>
}

/**
 * Processor time of the main thread in each frame: all tasks from one animation frame up to the next, as the browser
 * traces them.
 * Thread time, so that other programs on the machine do not count.
 */
function workPerFrame(events: readonly TraceEvent[]): readonly number[] {
  const frames = events.filter(({ name }) => name === 'FireAnimationFrame').sort((a, b) => a.ts - b.ts)
  const main = frames[0]
  if (!main) return []
  const tasks = events
    .filter(({ name, tid, pid, ph }) => name === 'RunTask' && ph === 'X' && tid === main.tid && pid === main.pid)
    .sort((a, b) => a.ts - b.ts)
  let next = 0
  return frames.slice(0, -1).map((_, i) => {
    let work = 0
    for (; next < tasks.length && tasks[next]!.ts < frames[i + 1]!.ts; next++) work += tasks[next]!.tdur ?? 0
    return work / 1000
  })
}

async function traced<T>(page: Page, run: () => Promise<T>): Promise<{ value: T; events: readonly TraceEvent[] }> {
  const session = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => void events.push(...(value as unknown as TraceEvent[])))
  const includedCategories = ['devtools.timeline', 'disabled-by-default-devtools.timeline']
  await session.send('Tracing.start', { traceConfig: { includedCategories }, transferMode: 'ReportEvents' })
  const value = await run()
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await complete
  return { value, events }
}

async function withPage<T>(bytes: Buffer, run: (page: Page) => Promise<T>): Promise<T> {
  const view = await serveView({ name: 'bench.json', read: async () => bytes })
  const browser = await chromium.launch({
    executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(view.url)
    await page.waitForSelector('.row .side')
    return await run(page)
  } finally {
    await browser.close()
    await view.close()
  }
}

async function measure(title: string, bytes: Buffer): Promise<void> {
  const begun = performance.now()
  await withPage(bytes, async (page) => {
    const opened = performance.now() - begun
    await page.waitForTimeout(2_000)
    // The fewest late frames of three runs: other programs on the machine make frames late, too.
    let gaps: number[] = []
    let late = Number.POSITIVE_INFINITY
    for (let run = 0; run < 3; run++) {
      gaps = await scroll(page)
      late = Math.min(late, gaps.filter((gap) => gap > 25).length)
      await page.evaluate(`document.querySelector('#rows').scrollTop = 0`)
      await page.waitForTimeout(500)
    }
    const { events } = await traced(page, () => scroll(page))
    const work = [...workPerFrame(events)].sort((a, b) => a - b)
    const p95 = work[Math.floor(work.length * 0.95)] ?? 0
    console.log(
      `${title.padEnd(28)} first rows ${Math.round(opened)} ms, work per frame p50 ${(work[work.length >> 1] ?? 0).toFixed(1)} p95 ${p95.toFixed(1)} ms, ${late} of ${gaps.length} frames over 25 ms`,
    )
  })
}

/** What the first rows of a history load: the page, and the parts of the worker that the browser asked for. */
async function loaded(title: string, name: string, bytes: Buffer): Promise<void> {
  const view = await serveView({ name, read: async () => bytes })
  const browser = await chromium.launch({
    executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  const page = await browser.newPage()
  const names = new Set<string>()
  page.context().on('response', (response) => void names.add(new URL(response.url()).pathname))
  await page.goto(view.url)
  await page.waitForSelector('.row .side')
  const kilobytes = (path: string) => gzipSync(readFileSync(`dist/viewer${path}`), { level: 9 }).length / 1000
  const scripts = [...names].filter((path) => path.endsWith('.js'))
  const first = scripts.filter((path) => path.includes('/index-')).reduce((sum, path) => sum + kilobytes(path), 0)
  const all = scripts.reduce((sum, path) => sum + kilobytes(path), 0)
  console.log(`${title.padEnd(28)} scripts gzipped: page ${first.toFixed(1)} kB, with the worker ${all.toFixed(1)} kB`)
  await browser.close()
  await view.close()
}

sizes()
await loaded('history of 1,000 messages', 'bench.json', session(1_000_000))
await loaded('Claude Code session', 'bench.jsonl', claudeCode(1_000))
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
