/**
 * What reaches a terminal: nothing but text, line breaks, tabs and the command line's own colors, whatever is in a
 * file, its name or an error. A program that reads the output gets exactly the values.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Context } from '../../src/cli/command.ts'
import { contextOf } from '../../src/cli/context.ts'
import { run } from '../../src/cli/run.ts'
import { printed } from '../../src/cli/terminal/index.ts'

const home = realpathSync(mkdtempSync(join(tmpdir(), 'suture-terminal-')))
afterAll(() => rmSync(home, { recursive: true }))

/** C0, C1, marks of direction, what `paint` uses inside. */
const HOSTILE = '\u001b[31m\u001b]0;x\u0007\u009b2J\u0085\u202e\u2066\u200f\u061c\u2028\ufeff\ufdd0\r\b'
// biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be there
const RAW = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufdd0-\ufdef\ufeff]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the colors
const COLORS = /\u001b\[(?:1|2|22|31|32|33|36|39)m/g

interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

async function ran(args: readonly string[], isTTY: boolean, input = ''): Promise<Ran> {
  let [out, err] = ['', '']
  const stdout = { isTTY, write: (text: string | Uint8Array) => (out += Buffer.from(text).toString()) }
  const stderr = { isTTY, write: (text: string | Uint8Array) => (err += Buffer.from(text).toString()) }
  const context = contextOf(import.meta.url, stdout, stderr)
  const host = { ...context.host, home, cwd: home, env: { HOME: home, XDG_STATE_HOME: join(home, 'state') } }
  const own: Context = { ...context, host, interactive: false, stdin: async () => Buffer.from(input) }
  return { code: await run(args, own), out, err }
}

const hostile = {
  model: `claude${HOSTILE}`,
  messages: [
    { role: 'user', content: `List ${HOSTILE}` },
    { role: 'assistant', content: [{ type: 'tool_use', id: `toolu_${HOSTILE}`, name: `ls${HOSTILE}`, input: {} }] },
    { role: 'user', content: `Still there? ${HOSTILE}` },
    { role: `odd${HOSTILE}`, [`key${HOSTILE}`]: 1, content: 'x' },
  ],
}

function put(name: string, text: string): string {
  const path = join(home, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
  utimesSync(path, 1_700_000_000, 1_700_000_000)
  return path
}

const NAME = `evil${HOSTILE}\nline.json`
const path = put(NAME, JSON.stringify(hostile))
const config = put(`odd/suture.config.json`, `{"quiet": ${HOSTILE}`)

describe.each([
  ['a terminal', true],
  ['a pipe', false],
])('on %s', (_where, isTTY) => {
  it.each<readonly string[]>([
    ['lint', path],
    ['lint', path, '--format', 'github'],
    ['lint', path, '--format', 'junit'],
    ['lint', path, '--format', 'json', '--with-text'],
    ['lint', path, '--config', config],
    ['lint', `${path}\u009b`],
    ['lint', `there is no ${HOSTILE}`],
    ['doctor', path],
    ['show', path],
    ['show', path, '--records'],
    ['show', path, '--conversation', HOSTILE],
    ['repair', path],
    ['repair', path, '--format', 'json', '--with-text'],
    ['repair', path, '--write', '--plan', `000000${HOSTILE}`],
    ['repair', path, '--out', path],
    ['undo', path],
    ['undo', '--entry', HOSTILE],
    ['explain', `messages.3: ${HOSTILE} \`tool_use\` ids were found without \`tool_result\` blocks: toolu_${HOSTILE}`],
    ['explain', '--json', HOSTILE],
    ['split', path, '--conversation', HOSTILE],
    ['sessions', 'list', '--store', `sqlite:${HOSTILE}`],
    [HOSTILE],
    ['lint', `--${HOSTILE}`],
  ])('%j', async (...args) => {
    const { out, err } = await ran(args, isTTY)
    expect((out + err).replace(COLORS, '')).not.toMatch(RAW)
    expect(out + err).not.toMatch(/^line\.json/m)
    expect(err).not.toMatch(/^ +at /m)
  })
})

describe('output of filters', () => {
  const filters: readonly (readonly string[])[] = [
    ['split', path],
    ['compact', path],
    ['export', path, '--raw'],
    ['repair', '-'],
  ]

  it.each(filters)('%s: escaped on a terminal, and still the same JSON', async (...args) => {
    const input = JSON.stringify(hostile)
    const [shown, piped] = [await ran(args, true, input), await ran(args, false, input)]
    expect(shown.out).not.toMatch(RAW)
    expect(piped.out).toContain('\u202e')
    expect(JSON.parse(shown.out)).toEqual(JSON.parse(piped.out))
  })
})

it.each(['json', 'jsonl', 'sarif', 'gitlab'])('%s has exact values, with escapes', async (format) => {
  const { out } = await ran(['lint', path, '--format', format], false)
  expect(out).not.toMatch(RAW)
  const text = JSON.stringify(JSON.parse(out))
  expect(text).toContain(format === 'sarif' ? encodeURIComponent(NAME) : JSON.stringify(NAME).slice(1, -1))
})

it('a report that goes to a file has no raw control character either', async () => {
  await ran(['lint', path, '--format', 'jsonl=report.jsonl', '--with-text'], true)
  expect(readFileSync(join(home, 'report.jsonl'), 'utf8')).not.toMatch(RAW)
})

it('only its own colors become escape sequences, and only if colors are on', () => {
  expect(printed('\ufdd0a\u001b[1m\u009b', true)).toBe('\u001b[1ma\\u001b[1m\\u009b')
  expect(printed('\ufdd0a\tb\nc', false)).toBe('\\ufdd0a\tb\nc')
})

it('a value that is nested deeper than the stack is printed or described', async () => {
  const deep = put(
    'deep.json',
    `{"messages":[{"role":"user","content":"a","x":${'['.repeat(20_000)}${']'.repeat(20_000)}}]}`,
  )
  for (const args of [['lint'], ['show', '--records'], ['repair'], ['export'], ['split'], ['compact', '--force']]) {
    const { err } = await ran([...args, deep], true)
    expect(err, args[0]).not.toMatch(/^ +at /m)
  }
})
