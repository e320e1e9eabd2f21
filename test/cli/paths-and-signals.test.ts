/**
 * Paths that are no files are rejected at once, by every command and option that takes one; signals end a command
 * whatever it does.
 */
import { type ChildProcess, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LONG } from '../long-runs.ts'
import { skippable } from '../skip-reasons.ts'
import { type Cli, cli, ended, fine, hasProc, tornSession, untilReading } from './harness.ts'

let suture: Cli
let server: Server

beforeAll(async () => {
  suture = await cli()
  const { status } = spawnSync('sh', [
    '-c',
    'mkfifo "$@"',
    'sh',
    join(suture.home, 'pipe'),
    join(suture.home, 'state.json'),
  ])
  expect(status).toBe(0)
  mkdirSync(join(suture.home, 'folder'))
  suture.put('fine.json', JSON.stringify(fine))
  server = createServer()
  await new Promise<void>((resolve) => server.listen(join(suture.home, 'socket'), resolve))
})
afterAll(() => {
  server.close()
  suture.close()
})

/** A command that waits for a pipe would wait for ever: it is ended after a while, and the test fails. */
async function run(args: readonly string[]) {
  const child = suture.start(args)
  const timer = setTimeout(() => child.kill('SIGKILL'), 60_000)
  const { code, out, err } = await ended(child)
  clearTimeout(timer)
  return { code, text: out + err }
}

const KINDS = [
  ['pipe', 'a pipe (FIFO)'],
  ['socket', 'a socket'],
  ['/dev/zero', 'a device'],
] as const

/** Each command and option is tried with a pipe. The other kinds go the same ways, so one command shows them. */
describe.each(KINDS)('%s', (path, kind) => {
  const every = [
    ['lint'],
    ['doctor'],
    ['repair'],
    ['repair', '--write'],
    ['undo'],
    ['show'],
    ['view'],
    ['split'],
    ['compact'],
    ['export'],
    ['lint', '--ignore-file', path, 'fine.json'],
    ['lint', '--config', path, 'fine.json'],
    ['lint', 'fine.json', '--format', `json=${path}`],
    ['serve', '--config', path],
  ]
  it.each(LONG || path === 'pipe' ? every : every.slice(0, 1))('%s %s %s %s', async (...args) => {
    const { code, text } = await run(args.includes(path) || args.at(-1)!.endsWith(path) ? args : [...args, path])
    expect({ code, text }).toEqual({
      code: expect.toSatisfy((one) => one === 1 || one === 2),
      text: expect.stringContaining(kind),
    })
    expect(text).not.toMatch(/^ +at /m)
  })

  it.each([['repair'], ...(LONG ? [['split'], ['compact'], ['export']] : [])])(
    '%s --out does not write to it',
    async (command) => {
      const { code } = await run([command, 'fine.json', '--out', path])
      expect(code).toBe(2)
    },
  )
})

it('a folder in the place of a configuration or a report is rejected', async () => {
  for (const args of [
    ['lint', '--config', 'folder', 'fine.json'],
    ['lint', '--ignore-file', 'folder', 'fine.json'],
    ['lint', 'fine.json', '--format', 'json=folder'],
  ])
    expect(await run(args)).toMatchObject({ code: 2, text: expect.stringContaining('a folder') })
})

it('a pipe in the folder of a session is not opened', async () => {
  expect((await run(['lint', 'fine.json'])).code).toBe(0)
})

/** As a shell counts it: 128 and the number of the signal that ended the process, or the code that it ended with. */
async function endedBy(child: ChildProcess, signal: keyof typeof CODES) {
  const done = new Promise((resolve) => child.once('close', (code, by) => resolve(by ?? code)))
  child.stdout?.resume()
  child.stderr?.resume()
  child.kill(signal)
  return done
}

const CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

describe.each(Object.keys(CODES) as (keyof typeof CODES)[])('%s', (signal) => {
  it.each(LONG ? [['lint'], ['repair'], ['split'], ['compact'], ['export'], ['doctor']] : [['lint'], ['doctor']])(
    '%s - ends while a slow pipe is read',
    async (command) => {
      const child = suture.start([command, '-'])
      // More than a pipe holds: the callback comes when the command has begun to read.
      const unfinished = `{"messages":["${'x'.repeat(1_000_000)}`
      await new Promise((resolve) => child.stdin!.on('error', () => {}).write(unfinished, resolve))
      expect(await endedBy(child, signal)).toBe(CODES[signal])
    },
  )

  it.skipIf(!hasProc).each(LONG ? [['repair'], ['show'], ['lint'], ['export']] : [['repair'], ['lint']])(
    `%s ends while a huge file is read or checked ${skippable('(needs /proc)', hasProc ? undefined : 'no /proc')}`,
    async (command) => {
      const lines = tornSession('f0000000-2222-4333-8444-555555555555').trimEnd().split('\n')
      const title = `{"type":"summary","summary":"${'s'.repeat(50)}","leafUuid":"y"}\n`
      const path = suture.put(
        'huge.jsonl',
        `${lines.slice(0, 5).join('\n')}\n${title.repeat(400_000)}${lines.at(-1)}\n`,
      )
      const child = suture.start([command, path])
      await untilReading(child, 40e6)
      expect([CODES[signal], signal]).toContain(await endedBy(child, signal))
    },
  )
})
