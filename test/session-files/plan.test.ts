/**
 * Repair plans: how often a file is read, that each conversation is repaired at once, that a reason belongs to its
 * change, and that nothing is emptied.
 */
import { describe, expect, it } from 'vitest'
import { checkSessionFile, checkWritten, formats, openSessionFile, planRepair } from '../../src/session-files/index.ts'
import { bytesOf, textOf } from '../../src/session-files/salvage/bytes.ts'
import type { SessionFile, SessionFormat } from '../../src/session-files/types.ts'
import { FORMATS, fileFrom, fileOf, type Line } from './samples.ts'

const ask = { role: 'user', content: 'look' }
const chatCall = (id: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'ls', arguments: '{}' } }],
})
const broken = (n: number) => [ask, chatCall(`c${n}`), { role: 'assistant', content: 'done' }]
const count = (length: number) => Array.from({ length }, (_, n) => n)
const lines = (values: readonly unknown[]) => fileOf(values)
const document = (value: unknown) => bytesOf(JSON.stringify(value))

/** The plan, and how often the format read and checked the file for it, opening included. */
function counted(bytes: Uint8Array, format: string) {
  const own = formats.find(({ id }) => id === format) as { -readonly [K in keyof SessionFormat]: SessionFormat[K] }
  const { read, check } = own
  const calls = { read: 0, check: 0 }
  own.read = (input) => {
    calls.read++
    return read(input)
  }
  own.check = (file) => {
    calls.check++
    return check(file)
  }
  try {
    const file = openSessionFile({ bytes }, { format })
    return { plan: planRepair(file), calls }
  } finally {
    Object.assign(own, { read, check })
  }
}

const HUNDRED = 100
const manyOf: readonly (readonly [name: string, format: string, bytes: () => Uint8Array])[] = [
  ['fine-tuning lines', 'fine-tuning', () => lines(count(HUNDRED).map((n) => ({ messages: broken(n) })))],
  ['fine-tuning as a list', 'fine-tuning', () => document(count(HUNDRED).map((n) => ({ messages: broken(n) })))],
  ['bodies', 'plain', () => lines(count(HUNDRED).map((n) => ({ model: 'gpt-4o', messages: broken(n) })))],
  ['histories', 'plain', () => lines(count(HUNDRED).map((n) => broken(n)))],
  [
    'preference records',
    'fine-tuning',
    () =>
      lines(
        count(HUNDRED).map((n) => ({
          input: { messages: broken(n) },
          preferred_output: [{ role: 'assistant', content: 'a' }],
          non_preferred_output: [{ role: 'assistant', content: 'b' }],
        })),
      ),
  ],
  [
    'sharegpt lines',
    'sharegpt',
    () =>
      lines(
        count(HUNDRED).map((n) => ({
          conversations: [
            { from: 'human', value: `look ${n}` },
            { from: 'function_call', value: '{"name":"ls","arguments":{}}' },
            { from: 'gpt', value: 'done' },
          ],
        })),
      ),
  ],
  ['a long plain document', 'plain', () => document({ model: 'gpt-4o', messages: count(HUNDRED).flatMap(broken) })],
  [
    'a Claude Code file with a broken link and open calls',
    'claude-code',
    () => {
      const file = fileFrom('claude-code', [
        { role: 'user', content: 'look' },
        { role: 'assistant', content: [{ type: 'text', text: 'first' }] },
        { role: 'user', content: 'again' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'ls', input: {} }] },
        { role: 'user', content: 'go on' },
        { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
      ])
      file[2]!['parentUuid'] = 'never-written'
      return fileOf(file)
    },
  ],
]

describe('a plan', () => {
  it.each(manyOf)(
    'of %s reads the file twice, checks it at most three times, and leaves nothing repairable',
    (_name, format, make) => {
      const { plan, calls } = counted(make(), format)
      expect(plan.findings.some(({ repair }) => repair === 'safe')).toBe(true)
      expect(plan.remaining.filter(({ repair }) => repair !== undefined)).toEqual([])
      expect(calls.read).toBeLessThanOrEqual(2)
      expect(calls.check).toBeLessThanOrEqual(3)
      const again = planRepair(openSessionFile({ bytes: plan.bytes }, { format }))
      expect(again.changes).toEqual([])
    },
  )

  it('of a file that is only read offers no repair', () => {
    const bytes = document([
      { chat: { history: { messages: { a: { role: 'user', content: 'x', parentId: 'gone' } }, currentId: 'a' } } },
    ])
    const file = openSessionFile({ bytes })
    expect(file.format).toBe('open-webui')
    expect(checkSessionFile(file).map(({ rule, repair }) => [rule, repair])).toContainEqual([
      'dangling-parent',
      undefined,
    ])
    expect(planRepair(file)).toMatchObject({
      bytes,
      changes: [],
      blocked: expect.stringContaining('only read') as string,
    })
  })

  it('names for each change its own reason', () => {
    const { plan } = counted(manyOf.at(-1)![2](), 'claude-code')
    const link = plan.changes.find((change) => change.op === 'replace' && change.record === 2)
    expect(link?.why).toMatch(/^dangling-parent: /)
    expect(plan.changes.find(({ op }) => op === 'insert')?.why).toContain('tool-result-missing')
  })

  it('has another fingerprint for other new bytes', () => {
    const file = openSessionFile({ bytes: lines([{ messages: broken(1) }]) }, { format: 'fine-tuning' })
    const none = planRepair(file, { only: ['text-blank'] })
    expect(none.changes).toEqual([])
    expect(none.fingerprint).not.toBe(planRepair(file, { only: ['tool-result-missing'] }).fingerprint)
    expect(planRepair(file).fingerprint).toBe(planRepair(file).fingerprint)
    expect(planRepair(file).fingerprint).not.toBe(planRepair(file, { provider: 'mistral' }).fingerprint)
  })

  it('of one of many conversations changes no other record', () => {
    const values = count(HUNDRED).map((n) => ({
      messages: n === 7 ? broken(n) : [ask, { role: 'assistant', content: 'a' }],
    }))
    const { plan } = counted(lines(values), 'fine-tuning')
    expect(plan.changes.map((change) => change.op !== 'insert' && change.record)).toEqual([7])
    expect(plan.promise).toMatchObject({ messagesBefore: 201, messagesAfter: 202, quarantinedBytes: 0 })
  })
})

const CUT = [
  '{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}',
  '{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b',
  '{"model":"gpt-4o","messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]',
  '{"contents":[{"role":"user","parts":[{"text":"a"}]}',
  '[{"role":"user","content":"a"},{"role":"assistant","content":"b"}',
  '{"messages":[{"type":"human","data":{"content":"a"}},{"type":"ai","data":{"content":"b"}}',
]

describe('a repair empties nothing', () => {
  it.each(CUT)('cut short: %s', (text) => {
    const plan = planRepair(openSessionFile({ bytes: bytesOf(text) }), { force: true })
    expect(textOf(plan.bytes)).toContain('"a"')
    expect(plan.promise.messagesAfter).toBeGreaterThan(0)
  })

  it.each(formats.map(({ id }) => id))('%s: what no record can be read in stays as it is', (format) => {
    for (const text of [
      ...CUT,
      '{"conversations":[{"from":"human","value":"a"},{"fr',
      '\0'.repeat(40),
      'no JSON',
      '{"a":',
    ]) {
      const bytes = bytesOf(text)
      const file = openSessionFile({ bytes }, { format })
      const plan = planRepair(file, { force: true, lossy: true })
      if (file.records.length > 0) expect(openSessionFile({ bytes: plan.bytes }, { format }).records).not.toEqual([])
      else expect(plan).toMatchObject({ bytes, changes: [], quarantined: [] })
      if (file.records.length === 0) expect(plan.findings.map(({ repair }) => repair)).not.toContain('safe')
    }
  })

  it('bytes that were not planned are an error', () => {
    const plan = planRepair(openSessionFile({ bytes: lines([{ messages: broken(1) }, { messages: broken(2) }]) }))
    expect(() => checkWritten(plan, plan.bytes.slice())).not.toThrow()
    expect(() => checkWritten(plan, plan.bytes.subarray(1))).toThrow(/differs from the plan/)
    expect(() => checkWritten(plan, new Uint8Array(0))).toThrow(/differs from the plan/)
  })

  it('a format that writes other records than it composed is not written', () => {
    const own = formats.find(({ id }) => id === 'fine-tuning') as { apply?: SessionFormat['apply'] }
    const { apply } = own
    own.apply = (file, changes) => apply!(file, changes).subarray(0, 200)
    try {
      const bytes = lines([{ messages: broken(1) }, { messages: broken(2) }])
      const plan = planRepair(openSessionFile({ bytes }, { format: 'fine-tuning' }))
      expect(plan.bytes).toBe(bytes)
      expect(plan.blocked).toMatch(/instead of the \d+ in 2 that were planned/)
    } finally {
      own.apply = apply
    }
  })

  it.each([
    [60, 0],
    [100, 100],
  ])('a file with %i faults, of which a step repairs four, is written whole or not at all', (count, left) => {
    const own = formats.find(({ id }) => id === 'copilot-cli') as { check: SessionFormat['check'] }
    const { check } = own
    const event = (n: number) => ({ type: 'session.info', id: 'b', parentId: 'a', data: { n } })
    const countIn = ({ records }: SessionFile) => (records[1]!.value as ReturnType<typeof event>).data.n
    own.check = (file) => {
      const n = countIn(file)
      const bytes = bytesOf(JSON.stringify(event(n - 1)))
      return Array.from({ length: n }, (_, i) => ({
        rule: `fault-${i}`,
        severity: 'error',
        message: 'x',
        record: 1,
        fix: [{ op: 'replace', record: 1, bytes, why: 'fault-0: one less' }],
      }))
    }
    try {
      const bytes = lines([{ type: 'session.start', id: 'a', parentId: null, data: {} }, event(count)])
      const plan = planRepair(openSessionFile({ bytes }, { format: 'copilot-cli' }))
      expect(countIn(openSessionFile({ bytes: plan.bytes }, { format: 'copilot-cli' }))).toBe(left)
      expect(plan.blocked ?? '').toMatch(left === 0 ? /^$/ : /not complete after 16 steps/)
      expect(plan.changes).toHaveLength(left === 0 ? 1 : 0)
    } finally {
      own.check = check
    }
  })
})

const think = { type: 'thinking', thinking: 'hm', signature: 'sig' }
const reported: readonly (readonly [string, 'pi' | 'claude-code' | 'qwen-code', readonly Line[]])[] = [
  ['an answer that is only reasoning', 'pi', [ask, { role: 'assistant', content: [think] }]],
  ['reasoning after a text', 'pi', [ask, { role: 'assistant', content: [{ type: 'text', text: 'x' }, think] }]],
  ['an answer that is only reasoning', 'claude-code', [ask, { role: 'assistant', content: [think] }]],
]

describe('repaired files stay unchanged', () => {
  it.each(reported)('%s: %s', (_name, format, history) => {
    const bytes = fileOf(fileFrom(format, history))
    const plan = planRepair(openSessionFile({ bytes }, { format }))
    expect(plan.changes.length).toBeGreaterThan(0)
    expect(plan.remaining.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(planRepair(openSessionFile({ bytes: plan.bytes }, { format })).bytes).toBe(plan.bytes)
  })

  it.each(FORMATS.filter((format) => format !== 'codex'))('%s: a torn first line', (format) => {
    const shape = format === 'qwen-code' ? 'parts' : 'content'
    const message = (role: string, text: string) => ({
      role,
      [shape]: format === 'copilot-cli' ? text : [{ type: 'text', text }],
    })
    const model = format === 'qwen-code' ? 'model' : 'assistant'
    const records = fileFrom(format, [
      message('user', 'a'),
      message(model, 'b'),
      message('user', 'c'),
      message(model, 'd'),
    ])
    const whole = textOf(fileOf(records)).split('\n')
    for (let torn = 0; torn < whole.length - 2; torn++) {
      const text = whole
        .map((line, i) => (i === torn ? line.slice(0, 40) : line))
        .slice(torn)
        .join('\n')
      const plan = planRepair(openSessionFile({ bytes: bytesOf(text) }, { format }))
      const ids = textOf(plan.bytes).match(/"(?:uuid|id)":"[^"]*"/g) ?? []
      expect(new Set(ids).size).toBe(ids.length)
      expect(planRepair(openSessionFile({ bytes: plan.bytes }, { format })).bytes).toBe(plan.bytes)
    }
  })

  it('a record with an id that exists is never inserted', () => {
    const bytes = fileOf(fileFrom('claude-code', [ask, { role: 'assistant', content: [think] }]))
    const once = textOf(planRepair(openSessionFile({ bytes }, { format: 'claude-code' })).bytes)
      .trimEnd()
      .split('\n')
    const added = JSON.parse(once.at(-1)!) as Line
    // The same record on another branch: the id is taken.
    const taken = [
      { ...added, parentUuid: null, isSidechain: true },
      ...once.slice(0, -1).map((line) => JSON.parse(line) as Line),
    ]
    const plan = planRepair(openSessionFile({ bytes: fileOf(taken) }, { format: 'claude-code' }))
    expect(plan.changes.filter(({ op }) => op === 'insert')).toEqual([])
  })
})
