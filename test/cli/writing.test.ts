/**
 * Writing that people can trust: dry run by default, plan, backup, undo to the exact bytes, kills at any moment, live
 * and changed files.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runsOf } from '../long-runs.ts'
import { age, type Cli, cli, ended, openCall, tornSession, validSession } from './harness.ts'

let suture: Cli
let next = 0

beforeAll(async () => {
  suture = await cli()
})
afterAll(() => suture.close())

/** A damaged session file of its own. */
function torn(): { readonly id: string; readonly path: string; readonly bytes: Buffer } {
  const id = `${(0xa0000000 + next++).toString(16)}-2222-4333-8444-555555555555`
  const path = suture.put(`.claude/projects/-p/${id}.jsonl`, tornSession(id))
  return { id, path, bytes: readFileSync(path) }
}

async function planOf(path: string): Promise<string> {
  const { out } = await suture.run(['repair', path])
  return /plan ([0-9a-f]+)/.exec(out)![1]!
}

describe('repair', () => {
  it('writes nothing by default, then exactly the plan, and undo brings the bytes back', async () => {
    const { path, bytes } = torn()
    const plan = await planOf(path)
    expect(readFileSync(path)).toEqual(bytes)
    const { mtimeMs } = statSync(path)
    const written = await suture.run(['repair', path, '--write', '--plan', plan])
    expect(written).toMatchObject({ code: 0, err: '' })
    expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(5)
    expect(Math.abs(statSync(path).mtimeMs - mtimeMs)).toBeLessThan(1000)
    expect((await suture.run(['lint', path])).code).toBe(0)
    expect((await suture.run(['repair', path])).out).toContain('valid, nothing to repair')
    expect((await suture.run(['undo', '--list'])).out).toContain(path)
    expect((await suture.run(['undo', path])).code).toBe(0)
    expect(readFileSync(path)).toEqual(bytes)
    expect((await suture.run(['undo', path])).code).toBe(2)
  })

  it('a Codex rollout that may not be written in place: the report names the command for a new one', async () => {
    const line = (ordinal: number, type: string, payload: object) =>
      JSON.stringify({ timestamp: `2026-11-16T14:42:3${ordinal}.000Z`, ordinal, type, payload })
    const says = (role: string, kind: string, text: string) => ({
      type: 'message',
      role,
      content: [{ type: kind, text }],
    })
    const id = '01a1e4cf-39af-7300-b32c-97c7f46fcb01'
    const lines = [
      line(0, 'session_meta', { id, cwd: '/p', cli_version: '0.149.0', source: 'cli' }),
      line(1, 'response_item', says('user', 'input_text', 'Is it there?')),
      line(2, 'response_item', { type: 'function_call_output', call_id: 'call_lost', output: 'Ja, größer als 3 µm' }),
      line(3, 'response_item', says('assistant', 'output_text', 'Yes.')),
    ]
    const folder = '.codex/sessions/2026/11/16'
    const path = suture.put(`${folder}/rollout-2026-11-16T14-42-28-${id}.jsonl`, `${lines.join('\n')}\n`)
    const command = `suture repair ~/${folder}/rollout-2026-11-16T14-42-28-${id}.jsonl --out ~/${folder}`
    expect((await suture.run(['repair', path])).out).toContain(command)
    const declined = await suture.run(['repair', path, '--write'])
    expect(declined).toMatchObject({ code: 2, err: expect.stringContaining(command) })
    expect((await suture.run(['repair', path, '--out', join(path, '..')])).code).toBe(0)
    const fresh = readdirSync(join(path, '..')).find((name) => name.startsWith('rollout-') && !name.includes(id))!
    const text = readFileSync(join(path, '..', fresh), 'utf8')
    expect(fresh).toContain(JSON.parse(text.split('\n')[0]!).payload.id)
    expect(text).toContain('Ja, größer als 3 µm')
    expect((await suture.run(['lint', join(path, '..', fresh)])).code).toBe(0)
    expect(readFileSync(path, 'utf8')).toBe(`${lines.join('\n')}\n`)
  })

  it('keeps mode and symbolic link, and leaves no other file in the folder', async () => {
    const { path, bytes } = torn()
    chmodSync(path, 0o640)
    mkdirSync(join(suture.home, 'links'), { recursive: true })
    const link = join(suture.home, 'links', `${next}.jsonl`)
    symlinkSync(path, link)
    const before = readdirSync(join(path, '..'))
    expect((await suture.run(['repair', link, '--write'])).code).toBe(0)
    expect(statSync(path).mode & 0o777).toBe(0o640)
    expect(readdirSync(join(path, '..'))).toEqual(before)
    expect(readdirSync(join(suture.home, 'links'))).toEqual([`${next}.jsonl`])
    const state = join(suture.home, '.local/state/suture')
    expect(statSync(state).mode & 0o077).toBe(0)
    expect((await suture.run(['undo', link])).code).toBe(0)
    expect(readFileSync(path)).toEqual(bytes)
  })

  it('puts what it removes into the quarantine, with line and offset', async () => {
    const { path } = torn()
    const { out } = await suture.run(['repair', path, '--write', '--format', 'json'])
    const [file] = JSON.parse(out).files
    const folder = join(suture.home, '.local/state/suture/backups', file.backup)
    const [piece] = readFileSync(join(folder, 'quarantine.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(piece).toMatchObject({ line: 5, reason: expect.any(String), text: expect.stringContaining('"type":"user"') })
  })

  it('--out writes another file, "-" goes from input to output, gzip stays gzip', async () => {
    const { path, bytes } = torn()
    const out = join(suture.home, `out-${next}.jsonl`)
    expect((await suture.run(['repair', path, '--out', out])).code).toBe(0)
    expect(readFileSync(path)).toEqual(bytes)
    expect((await suture.run(['lint', out])).code).toBe(0)
    expect((await suture.run(['repair', path, '--out', out])).code).toBe(2)
    const piped = await suture.run(['repair', '-'], { input: JSON.stringify(openCall) })
    expect(JSON.parse(piped.out).messages.length).toBeGreaterThanOrEqual(3)
    expect(piped.out).toContain('tool_result')
    const zipped = suture.put('open.json.gz', gzipSync(JSON.stringify(openCall)))
    const stored = readFileSync(zipped)
    expect((await suture.run(['repair', zipped, '--write'])).code).toBe(0)
    expect(readFileSync(zipped).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]))
    expect((await suture.run(['lint', zipped])).code).toBe(0)
    expect((await suture.run(['undo', zipped])).code).toBe(0)
    expect(readFileSync(zipped)).toEqual(stored)
  })
})

describe('a repair that may not be written', () => {
  const start = { type: 'session.start', data: { sessionId: 's' }, id: 'a', parentId: null }
  const unknown = { type: 'user.message', data: { content: 'hello' }, id: 'b', parentId: 'gone' }
  const text = [start, { ...unknown, type: 'mood.changed', id: 'm' }, unknown]
    .map((one) => JSON.stringify(one))
    .join('\n')

  it('of standard input prints its reason alone; --force prints the file', async () => {
    const blocked = await suture.run(['repair', '-'], { input: text })
    expect(blocked).toMatchObject({ code: 2, out: '' })
    expect(blocked.err).toContain('record type "mood.changed"')
    const forced = await suture.run(['repair', '-', '--force'], { input: text })
    expect(forced.out).toContain('"parentId":"m"')
  })

  it('of standard input names the line of each finding that is left, below their number', async () => {
    const lines = [1, 2, 3].map(() => JSON.stringify({ messages: [{ role: 'user', content: 'a' }] }))
    const { code, err } = await suture.run(['repair', '-', '--as', 'fine-tuning'], { input: `${lines.join('\n')}\n` })
    expect(code).toBe(1)
    const [head, ...left] = err.trimEnd().split('\n')
    expect(head).toMatch(/^ *3 errors left:/)
    expect(left).toEqual(
      [1, 2, 3].map((line) => expect.stringMatching(new RegExp(`^ *line ${line}  error  .*no-assistant`))),
    )
  })

  it('to another file leaves no file', async () => {
    const path = suture.put('blocked.jsonl', text)
    const out = join(path, '../blocked-out.jsonl')
    for (const [from, input] of [[path], ['-', text]] as const) {
      const blocked = await suture.run(['repair', from, '--out', out], { input })
      expect(blocked.code).toBe(2)
      expect(blocked.err).toContain('record type "mood.changed"')
      expect(existsSync(out)).toBe(false)
    }
    const forced = await suture.run(['repair', '-', '--out', out, '--force'], { input: text })
    expect(forced.out).toBe('')
    expect(readFileSync(out, 'utf8')).toContain('"parentId":"m"')
  })
})

describe('exit 3', () => {
  it('the file has changed since the plan', async () => {
    const { path } = torn()
    const plan = await planOf(path)
    writeFileSync(path, `${readFileSync(path, 'utf8')}{"type":"summary","summary":"x","leafUuid":"y"}\n`)
    age(path)
    const bytes = readFileSync(path)
    const { code, err } = await suture.run(['repair', path, '--write', '--plan', plan])
    expect(code).toBe(3)
    expect(err).toContain('Nothing was written')
    expect(readFileSync(path)).toEqual(bytes)
  })

  it('the file was changed a moment ago', async () => {
    const { path } = torn()
    age(path, 0)
    expect(await suture.run(['repair', path, '--write'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('is live'),
    })
    expect((await suture.run(['repair', path, '--write', '--force'])).code).toBe(0)
  })

  it('Claude Code has the session open, as its registry and a living process say', async () => {
    const { path, id } = torn()
    const entry = suture.put(
      `.claude/sessions/${process.pid}.json`,
      JSON.stringify({ pid: process.pid, sessionId: id }),
    )
    expect(await suture.run(['repair', path, '--write'])).toMatchObject({
      code: 3,
      err: expect.stringContaining(`process ${process.pid}`),
    })
    // A process that has ended: the entry has outlived a crash.
    writeFileSync(entry, JSON.stringify({ pid: 2 ** 22 - 3, sessionId: id }))
    expect((await suture.run(['repair', path, '--write'])).code).toBe(0)
  })

  it('undo after the agent changed something else', async () => {
    const { path } = torn()
    expect((await suture.run(['repair', path, '--write'])).code).toBe(0)
    writeFileSync(path, readFileSync(path, 'utf8').replace('three files', 'four files'))
    expect(await suture.run(['undo', path])).toMatchObject({ code: 3 })
  })
})

it('undo keeps what the agent has appended since', async () => {
  const { path, bytes } = torn()
  expect((await suture.run(['repair', path, '--write'])).code).toBe(0)
  const line = '{"type":"summary","summary":"later","leafUuid":"x"}\n'
  writeFileSync(path, line, { flag: 'a' })
  const { code, out } = await suture.run(['undo', path])
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('are kept') })
  expect(readFileSync(path, 'utf8')).toBe(bytes.toString() + line)
})

/**
 * One file of each way of writing: lines, a document, a rollout, a data set. Each is broken at its end and large enough
 * to take a moment.
 */
const FAMILIES: readonly (readonly [string, string, () => string])[] = [
  ['JSON lines', '.claude/projects/-k/b0000000-2222-4333-8444-555555555555.jsonl', bigSession],
  ['a JSON document', '.cline/data/tasks/k/api_conversation_history.json', () => `${bigList()},{"role":"user","con`],
  ['a rollout', '.codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-k.jsonl', bigRollout],
  [
    'a data set',
    'data/set.jsonl',
    () => `${Array.from({ length: 2000 }, () => EXAMPLE).join('\n')}\n${EXAMPLE.slice(0, 40)}`,
  ],
]
const EXAMPLE = JSON.stringify({
  messages: [
    { role: 'user', content: 'q'.repeat(400) },
    { role: 'assistant', content: 'a'.repeat(400) },
  ],
})

function bigSession(): string {
  const text = tornSession('b0000000-2222-4333-8444-555555555555').trimEnd().split('\n')
  const titles = Array.from(
    { length: 3000 },
    (_, i) => `{"type":"summary","summary":"${'s'.repeat(500)}","leafUuid":"${i}"}`,
  )
  return `${[...text.slice(0, 4), ...titles, ...text.slice(4)].join('\n')}\n`
}

function bigRollout(): string {
  const line = (type: string, payload: object, ordinal: number) =>
    JSON.stringify({ timestamp: '2026-01-02T03:04:05.000Z', ordinal, type, payload })
  const message = (role: string, type: string) => ({
    type: 'message',
    role,
    content: [{ type, text: 'x'.repeat(500) }],
  })
  const items = Array.from({ length: 1000 }, () => [message('user', 'input_text'), message('assistant', 'output_text')])
  const lines = [
    line('session_meta', { id: 'k', cwd: '/p', cli_version: '0.166.0', source: 'cli' }, 0),
    ...items.flat().map((item, i) => line('response_item', item, i + 1)),
  ]
  return `${lines.join('\n')}\n${lines.at(-1)!.slice(0, 300)}`
}

function bigList(): string {
  const turn = JSON.stringify({ role: 'user', content: 'q'.repeat(500) })
  const answer = JSON.stringify({ role: 'assistant', content: 'a'.repeat(500) })
  return `[${Array.from({ length: 1000 }, () => `${turn},${answer}`).join(',')}`
}

it.each(FAMILIES)(
  'killed at a random moment, %s: the old file or the new one, and the backup is whole',
  async (family, name, make) => {
    const path = suture.put(name, make())
    age(path)
    const old = readFileSync(path)
    const began = Date.now()
    expect((await suture.run(['repair', path, '--write'])).err).toBe('')
    let whole = Date.now() - began
    const now = readFileSync(path)
    expect(now.equals(old)).toBe(false)
    // Of those with the old file: `between` had begun to write the backup or the new file.
    const outcomes = { old: 0, between: 0, new: 0 }
    for (let i = 0; i < runsOf(6, 200, 'SUTURE_KILLS'); i++) {
      writeFileSync(path, old)
      age(path)
      const state = join(suture.home, `state-${family}-${i}`)
      const child = suture.start(['repair', path, '--write'], { env: { SUTURE_STATE_DIR: state } })
      const started = Date.now()
      const done = ended(child)
      // Most of the run is loading: the last part is where files are written.
      const timer = setTimeout(() => child.kill('SIGKILL'), whole * (0.5 + Math.random() * 0.6))
      // The fastest run is the measure: a machine that was busy at first would be waited for each time.
      if ((await done).code === 0) whole = Math.min(whole, Date.now() - started)
      clearTimeout(timer)
      const found = readFileSync(path)
      const isNew = found.equals(now)
      expect(isNew || found.equals(old), 'neither the old file nor the new one').toBe(true)
      outcomes[isNew ? 'new' : existsSync(state) ? 'between' : 'old']++
      if (isNew) {
        const [entry] = readdirSync(join(state, 'backups'))
        expect(readFileSync(join(state, 'backups', entry!, 'before')).equals(old)).toBe(true)
      }
      // Where the kill came before the rename there is nothing to take back, or it is taken back already.
      const undone = await suture.run(['undo', path], { env: { SUTURE_STATE_DIR: state } })
      if (isNew) expect(undone).toMatchObject({ code: 0 })
      expect(readFileSync(path).equals(old)).toBe(true)
      rmSync(state, { recursive: true, force: true })
    }
    console.info(`${family}: killed at ${JSON.stringify(outcomes)}`)
    const left = readdirSync(join(path, '..')).filter((one) => one.startsWith('.suture-'))
    await suture.run(['repair', path, '--write', '--force'])
    expect(left.filter((one) => existsSync(join(path, '..', one)))).toEqual([])
  },
)

it('a valid file is not written', async () => {
  const path = suture.put(
    '.claude/projects/-v/c0000000-2222-4333-8444-555555555555.jsonl',
    validSession('c0000000-2222-4333-8444-555555555555'),
  )
  const { ino, ctimeMs } = statSync(path)
  expect((await suture.run(['repair', path, '--write'])).code).toBe(0)
  expect(statSync(path)).toMatchObject({ ino, ctimeMs })
})
