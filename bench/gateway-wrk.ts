/**
 * Load by `wrk` where it is installed: it is written in C, and takes so little of the processor it shares with the
 * upstream that neither of them holds up a fast proxy. A slow load hides how much faster one proxy is than another.
 */
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { HEADERS, type Loaded } from './gateway-load.ts'

/** `wrk -v` ends with 1 and its name. */
export const hasWrk = spawnSync('wrk', ['-v'], { encoding: 'utf8' }).stdout?.startsWith('wrk') ?? false

export interface Posting {
  readonly url: string
  readonly body: Uint8Array
  readonly headers: Readonly<Record<string, string>>
  readonly connections: number
  readonly seconds: number
}

/** Sends requests for this many seconds over this many connections. */
export async function wrk({ url, body, headers, connections, seconds }: Posting): Promise<Omit<Loaded, 'first'>> {
  const folder = mkdtempSync(join(tmpdir(), 'suture-wrk-'))
  try {
    const script = join(folder, 'post.lua')
    writeFileSync(join(folder, 'body'), body)
    // It names the host itself.
    const { host: _, ...rest } = HEADERS
    writeFileSync(script, scriptOf(join(folder, 'body'), { ...rest, ...headers }))
    const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout=30s', '-s', script, url]
    const { stdout } = await promisify(execFile)('wrk', args)
    return resultIn(stdout)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function scriptOf(file: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `wrk.headers[${lua(name)}] = ${lua(value)}`)
  return ['wrk.method = "POST"', `wrk.body = io.open(${lua(file)}, "rb"):read("*a")`, ...lines].join('\n')
}

/** A text of Lua: the strings here have nothing in them that JSON writes otherwise. */
function lua(text: string): string {
  return JSON.stringify(text)
}

function resultIn(output: string): Omit<Loaded, 'first'> {
  const [, count = '0', took = '', unit = 's'] = /(\d+) requests in ([\d.]+)(m?s?)/.exec(output) ?? []
  if (/Non-2xx|Socket errors/.test(output) || count === '0') throw new Error(`wrk was rejected:\n${output}`)
  const scale = unit === 'm' ? 60 : unit === 'ms' ? 0.001 : 1
  return { count: Number(count), seconds: Number(took) * scale }
}
