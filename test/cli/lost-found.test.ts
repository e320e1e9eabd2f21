/**
 * `suture repair --lost-found DIR`: exactly the records that the model will not see, and no file is ever written over.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Cli, cli, fine, validSession } from './harness.ts'

let suture: Cli
beforeAll(async () => {
  suture = await cli()
})
afterAll(() => suture.close())

let next = 0
const sessionId = () => `${(++next).toString(16).padStart(8, '0')}-1111-4111-8111-111111111111`

interface Entry {
  readonly uuid: string
  readonly parentUuid: string | null
  readonly type: 'user' | 'assistant'
  readonly text: string
  readonly agentId?: string
}

const record = ({ text, ...own }: Entry, session: string) =>
  JSON.stringify({
    ...own,
    isSidechain: own.agentId !== undefined,
    sessionId: session,
    version: '2.1.114',
    cwd: '/p',
    timestamp: '2026-11-01T00:00:00.000Z',
    message:
      own.type === 'assistant'
        ? { id: `msg_${own.uuid}`, type: 'message', role: 'assistant', content: [{ type: 'text', text }] }
        : { role: 'user', content: text },
  })

const entry = (uuid: string, parentUuid: string | null, type: Entry['type'], agentId?: string): Entry => ({
  uuid,
  parentUuid,
  type,
  text: `text of ${uuid}, ä`,
  ...(agentId === undefined ? {} : { agentId }),
})

/** A main line, two branches that were left, and a sub-agent with a branch of its own. */
const BRANCHES: readonly Entry[] = [
  entry('m1', null, 'user'),
  entry('m2', 'm1', 'assistant'),
  entry('left1', 'm2', 'user'),
  entry('left2', 'left1', 'assistant'),
  entry('other1', 'm2', 'user'),
  entry('other2', 'other1', 'assistant'),
  entry('s1', null, 'user', 'abc'),
  entry('s2', 's1', 'assistant', 'abc'),
  entry('sleft', 's1', 'assistant', 'abc'),
  entry('s3', 's2', 'user', 'abc'),
  entry('m3', 'm2', 'user'),
  entry('m4', 'm3', 'assistant'),
  entry('m5', 'm4', 'user'),
]
const LOST = ['left1', 'left2', 'other1', 'other2', 'sleft']

function branched(folder = '-p', name = `${sessionId()}.jsonl`) {
  const session = name.replace('.jsonl', '')
  const lines = BRANCHES.map((one) => record(one, session))
  const path = suture.put(`.claude/projects/${folder}/${name}`, `${lines.join('\n')}\n`)
  const lost = BRANCHES.flatMap(({ uuid }, i) => (LOST.includes(uuid) ? [`${lines[i]}\n`] : [])).join('')
  return { path, lost, bytes: readFileSync(path) }
}

const at = (folder: string, name = '') => join(suture.home, folder, name)

it('writes the records of all branches, also of sub-agents, byte for byte and in order, and leaves the session alone', async () => {
  const { path, lost, bytes } = branched()
  const { err } = await suture.run(['repair', path, '--lost-found', 'found'])
  expect(err).toContain('Wrote 5 records that the model will not see')
  const [name] = readdirSync(at('found')) as [string]
  expect(readFileSync(at('found', name), 'utf8')).toBe(lost)
  expect(statSync(at('found', name)).mode & 0o777).toBe(0o600)
  expect(readFileSync(path)).toEqual(bytes)
})

it('writes sessions of the same name, and a second run, under different names', async () => {
  const one = branched('-a', 'same.jsonl')
  const two = branched('-b', 'same.jsonl')
  for (let run = 0; run < 2; run++)
    expect((await suture.run(['repair', one.path, two.path, '--lost-found', 'names'])).code).toBe(0)
  expect(readdirSync(at('names')).sort()).toEqual(
    ['same.lost.jsonl', 'same.lost-2.jsonl', 'same.lost-3.jsonl', 'same.lost-4.jsonl'].sort(),
  )
  for (const name of readdirSync(at('names'))) expect(readFileSync(at('names', name), 'utf8')).toBe(one.lost)
})

it('never writes over a file that exists, nor through a link', async () => {
  const { path } = branched('-p', 'kept.jsonl')
  mkdirSync(at('kept'))
  writeFileSync(at('kept', 'kept.lost.jsonl'), 'mine')
  expect((await suture.run(['repair', path, '--lost-found', 'kept'])).code).toBe(0)
  expect(readFileSync(at('kept', 'kept.lost.jsonl'), 'utf8')).toBe('mine')
  expect(existsSync(at('kept', 'kept.lost-2.jsonl'))).toBe(true)
})

it('replaces control characters in names, in the file and in what it prints', async () => {
  const { path } = branched('-p', 'a\u001b[31m\nb.jsonl')
  const { err } = await suture.run(['repair', path, '--lost-found', 'controls'])
  expect(readdirSync(at('controls'))).toEqual(['a_[31m_b.lost.jsonl'])
  expect(err).not.toContain('\u001b')
})

it('reports why a folder cannot be written, and changes nothing', async () => {
  const { path, bytes } = branched()
  suture.put('a-file', 'text')
  for (const folder of ['a-file', 'a-file/below', '/proc/none/below']) {
    const { code, err } = await suture.run(['repair', path, '--write', '--lost-found', folder])
    expect([code, err]).toEqual([2, expect.stringMatching(/--lost-found cannot be written \(E[A-Z]+\)/)])
    expect(err).not.toMatch(/^ {4}at /m)
  }
  expect(readFileSync(path)).toEqual(bytes)
  expect(readFileSync(at('a-file'), 'utf8')).toBe('text')
})

it('writes nothing, and makes no folder, if the model sees every turn', async () => {
  const path = suture.put(`.claude/projects/-p/${sessionId()}.jsonl`, validSession(sessionId()))
  const { code, err } = await suture.run([
    'repair',
    path,
    suture.put('fine.json', JSON.stringify(fine)),
    '--lost-found',
    'none',
  ])
  expect([code, err.match(/the model will see every turn/g)?.length]).toEqual([0, 2])
  expect(existsSync(at('none'))).toBe(false)
})

it('takes records that the repair brings back for found once it is written', async () => {
  const id = sessionId()
  const all = [
    entry('r1', null, 'user'),
    entry('r2', 'r1', 'assistant'),
    entry('r3', 'never-written', 'user'),
    entry('r4', 'r3', 'assistant'),
    entry('r5', 'r4', 'user'),
  ]
  const path = suture.put(`.claude/projects/-p/${id}.jsonl`, `${all.map((one) => record(one, id)).join('\n')}\n`)
  expect((await suture.run(['repair', path, '--lost-found', 'before'])).err).toContain('Wrote 2 records')
  const { code, err } = await suture.run(['repair', path, '--write', '--lost-found', 'after'])
  expect([code, err]).toEqual([0, expect.stringContaining('the model will see every turn')])
})

it('does not mix records of a sub-agent in its own file with those of the session', async () => {
  const id = sessionId()
  const path = suture.put(`.claude/projects/-p/${id}.jsonl`, validSession(id))
  const own = BRANCHES.map((one) => record({ ...one, agentId: 'x1' }, id))
  suture.put(`.claude/projects/-p/${id}/subagents/agent-x1.jsonl`, `${own.join('\n')}\n`)
  const { err } = await suture.run(['repair', path, '--lost-found', 'agents'])
  expect(err).toContain('the model will see every turn')
})

it('writes an element of a document as one line', async () => {
  const message = (messageId: string, parentMessageId: string, isCreatedByUser: boolean) => ({
    messageId,
    parentMessageId,
    isCreatedByUser,
    sender: isCreatedByUser ? 'User' : 'Assistant',
    text: `text of ${messageId}`,
  })
  const none = '00000000-0000-0000-0000-000000000000'
  const messages = [
    message('a', none, true),
    message('b', 'a', false),
    message('c', 'a', false),
    message('d', 'c', true),
  ]
  const path = suture.put('chat.json', JSON.stringify({ conversationId: 'x', messages }, null, 2))
  const { err } = await suture.run(['repair', path, '--as', 'librechat', '--lost-found', 'document'])
  expect(err).toContain('Wrote 1 record ')
  expect(readFileSync(at('document', 'chat.lost.jsonl'), 'utf8')).toBe(`${JSON.stringify(messages[1])}\n`)
})

it('needs a file', async () => {
  const { code, err } = await suture.run(['repair', '-', '--lost-found', 'x'], { input: JSON.stringify(fine) })
  expect([code, err]).toEqual([2, expect.stringContaining('--lost-found needs a file')])
})
