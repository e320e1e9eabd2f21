/**
 * The verdict on files that are not understood is the same in every command, report and exit code.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cli, cli, fine } from './harness.ts'

let suture: Cli
const FOLDER = '.claude/projects/-w'
const REPORTS = ['json', 'jsonl', 'sarif', 'github', 'gitlab', 'junit', 'summary', 'readable']

beforeAll(async () => {
  suture = await cli()
  const record = { parentUuid: null, uuid: 'a-1', sessionId: 's-1', version: '9.9.9', cwd: '/w', type: 'user' }
  const session = [
    { ...record, message: { role: 'user', content: 'hi' } },
    { ...record, type: 'exchange', parentUuid: 'a-1', uuid: 'a-2', spoken: 'it rains today' },
  ]
  const text = session.map((one) => `${JSON.stringify(one)}\n`).join('')
  const rollout = { timestamp: '2031-01-01T00:00:00Z', type: 'session_meta', payload: { id: 'r-1', cwd: '/w' } }
  suture.put(`${FOLDER}/new.jsonl`, text)
  suture.put(`${FOLDER}/empty.jsonl`, '')
  suture.put(`${FOLDER}/garbage.jsonl`, Buffer.from([1, 2, 200, 0, 9, 33]))
  suture.put(`${FOLDER}/other.jsonl`, `${JSON.stringify(rollout)}\n`)
  suture.put('new.jsonl', text)
  suture.put('mixed/fine.json', JSON.stringify(fine))
  suture.put('mixed/settings.json', '{"theme":"dark"}')
  suture.put(
    'mixed/export.json',
    JSON.stringify([
      { speaker: 'a', said: 'hi there' },
      { speaker: 'b', said: 'ho ho' },
    ]),
  )
  suture.put('mixed/empty.jsonl', '')
})
afterAll(() => suture.close())

it('the doctor lists every file of an agent’s folder', async () => {
  const { code, out } = await suture.run([])
  expect(code).toBe(4)
  for (const name of ['empty.jsonl', 'garbage.jsonl', 'other.jsonl']) expect(out).toContain(name)
  expect(out).toContain('4 sessions: 0 valid, 4 not understood.')
  expect(out).toContain('in a folder of Claude Code')
  expect(out).toContain('The file is empty.')
})

it.each(['lint', 'doctor', 'show', 'repair'])('%s: the reason, what was checked, and exit code 4', async (command) => {
  const { code, out } = await suture.run([command, 'new.jsonl'])
  expect(code).toBe(4)
  expect(out).toMatch(/not understood/i)
  expect(out).toContain('unknown record type "exchange" of version 9.9.9')
  expect(out).toContain('Checked: 1 message in 1 of 2 records.')
})

it.each(['lint', 'doctor', 'show', 'repair'])('%s of a file in no format', async (command) => {
  const { code, out, err } = await suture.run([command, 'mixed/export.json'])
  expect(code).toBe(4)
  expect(out + err).toContain('No history was found')
})

describe('reports', () => {
  it.each(REPORTS)('%s', async (format) => {
    const { code, out } = await suture.run(['lint', 'new.jsonl', '--format', format])
    expect(code).toBe(4)
    expect(out).toMatch(/not[ -]understood/)
  })

  it('JSON has the reason and what was checked, in lint and in repair', async () => {
    const expected = {
      status: 'not-understood',
      notUnderstood: [expect.stringContaining('exchange')],
      checked: { messages: 1, records: 1, of: 2 },
    }
    for (const command of ['lint', 'repair']) {
      const { out } = await suture.run([command, 'new.jsonl', '--format', 'json'])
      expect(JSON.parse(out).files[0]).toMatchObject(expected)
    }
  })
})

it('a folder: documents that cannot be a history are counted, all others are listed', async () => {
  const { code, out } = await suture.run(['lint', 'mixed', '--format', 'json'])
  const { totals, files } = JSON.parse(out)
  expect(code).toBe(4)
  expect(totals).toMatchObject({ files: 3, valid: 1, notUnderstood: 2, leftOut: 1 })
  expect(files.map(({ path, status }: { path: string; status: string }) => `${path} ${status}`).sort()).toEqual([
    'mixed/empty.jsonl not-understood',
    'mixed/export.json not-understood',
    'mixed/fine.json valid',
  ])
  for (const command of ['lint', 'doctor'])
    expect((await suture.run([command, 'mixed'])).out).toContain('1 document without a history was left out.')
  const ofDoctor = JSON.parse((await suture.run(['doctor', 'mixed', '--format', 'json'])).out)
  expect(ofDoctor.totals).toMatchObject({ files: 3, leftOut: 1 })
  expect((await suture.run(['lint', 'mixed', '--ignore-unknown'])).code).toBe(0)
  expect((await suture.run(['lint', 'mixed', '--exit-zero'])).code).toBe(0)
})

it('the help names the exit code', async () => {
  expect((await suture.run(['lint', '--help'])).out).toContain('4 not understood')
})
