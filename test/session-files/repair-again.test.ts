/**
 * Broken conversations in every format that is written, whole and damaged: repaired, and repaired again. The second
 * repair changes nothing, and no repair empties a file or gives two records the same id. A sample here, more with
 * SUTURE_LONG=1.
 */
import { describe, expect, it } from 'vitest'
import { isObject } from '../../src/core/index.ts'
import { dialects } from '../../src/dialects/index.ts'
import { applyChanges, openSessionFile, planRepair } from '../../src/session-files/index.ts'
import { bytesOf, textOf } from '../../src/session-files/salvage/bytes.ts'
import type { SessionFile } from '../../src/session-files/types.ts'
import { conversation, corruptions, Random } from '../../src/testing/corruptions/index.ts'
import { LONG, runsOf } from '../long-runs.ts'
import { type Container, DAMAGE, damage, LINES } from './damage.ts'
import { DIALECTS, FORMATS, fileFrom, type Line } from './samples.ts'

const SEEDS = runsOf(1, 40, 'SUTURE_DAMAGE_RUNS')

interface Place {
  readonly name: string
  readonly format: string
  readonly dialect: string
  readonly container: Container
  records(history: readonly unknown[]): readonly unknown[]
}

const document = (head: string, tail: string): Container => ({ head, between: ',\n', tail })
const same = (history: readonly unknown[]) => history
const plain = { format: 'plain', records: same }
const FIVE = 5

const PLACES: readonly Place[] = [
  ...FORMATS.map((format) => ({
    name: format,
    format,
    dialect: DIALECTS[format],
    container: LINES,
    records: (history: readonly unknown[]) => fileFrom(format, history),
  })),
  ...['openai-chat', 'anthropic-messages', 'openai-responses', 'gemini'].map((dialect) => ({
    ...plain,
    name: `plain lines of ${dialect}`,
    dialect,
    container: LINES,
  })),
  { ...plain, name: 'plain document', dialect: 'openai-chat', container: document('{"messages":[', ']}') },
  { ...plain, name: 'plain list', dialect: 'anthropic-messages', container: document('[', ']') },
  {
    name: 'plain data set',
    format: 'plain',
    dialect: 'openai-chat',
    container: LINES,
    records: (messages) => Array.from({ length: FIVE }, (_, n) => ({ model: 'gpt-4o', n, messages })),
  },
  {
    name: 'cline',
    format: 'cline',
    dialect: 'anthropic-messages',
    container: document('{"version":1,"agent":"lead","sessionId":"s1","messages":[', ']}'),
    records: (history) => history.map((message, ts) => ({ ...(message as Line), ts })),
  },
  { name: 'langchain', format: 'langchain', dialect: 'langchain', container: document('[', ']'), records: same },
  { name: 'ui-messages', format: 'ui-messages', dialect: 'ai-sdk-ui', container: document('[', ']'), records: same },
  {
    name: 'fine-tuning',
    format: 'fine-tuning',
    dialect: 'openai-chat',
    container: LINES,
    records: (messages) => Array.from({ length: FIVE }, (_, n) => ({ messages, n })),
  },
  {
    name: 'sharegpt',
    format: 'sharegpt',
    dialect: 'openai-chat',
    container: document('[', ']'),
    records: (history) => Array.from({ length: FIVE }, (_, n) => ({ id: `s${n}`, conversations: history.map(turnOf) })),
  },
]

function turnOf(message: unknown): Line {
  const { role, content } = isObject(message) ? message : {}
  return { from: role === 'user' ? 'human' : role === 'tool' ? 'observation' : 'gpt', value: content ?? '' }
}

const idsOf = ({ records }: SessionFile) =>
  records.flatMap(({ value }) => {
    const id = isObject(value)
      ? (value['uuid'] ?? (value['parentId'] === undefined ? undefined : value['id']))
      : undefined
    return typeof id === 'string' ? [id] : []
  })
const repeated = (ids: readonly string[]) => ids.length - new Set(ids).size
const messages = (file: SessionFile) => file.conversations.reduce((sum, { history }) => sum + history.length, 0)

/** Sentences about what a repair did that it must not do. */
function wrong(format: string, bytes: Uint8Array, lossy: boolean): string[] {
  const options = { force: true, lossy }
  const file = openSessionFile({ bytes }, { format })
  const plan = planRepair(file, options)
  if (plan.blocked !== undefined) return [plan.blocked]
  const done = openSessionFile({ bytes: plan.bytes }, { format })
  const again = planRepair(done, options)
  const out: string[] = []
  if (again.bytes !== plan.bytes)
    out.push(`repaired again: ${again.changes.map(({ op, why }) => `${op} ${why}`).join(' | ')}`)
  if (messages(file) > 0 && messages(done) === 0) out.push('no message is left')
  if (repeated(idsOf(done)) > repeated(idsOf(file))) out.push('an id is there twice')
  if (plan.promise.messagesAfter !== messages(done)) out.push('the plan promised other messages')
  if (plan.bytes === bytes && plan.changes.length > 0) out.push('changes without new bytes')
  const promised = again.findings.filter(({ repair }) => repair === 'safe' || (lossy && repair !== undefined))
  for (const { rule } of promised) out.push(`${rule} is called repairable, and no repair changes it`)
  if (plan.bytes !== bytes && textOf(applyChanges(file, plan.changes)) !== textOf(plan.bytes))
    out.push('the changes do not give the new bytes')
  for (const { why } of plan.changes) if (!/[a-z]+-[a-z]+/.test(why)) out.push(`no rule in the reason "${why}"`)
  return out
}

describe.each(PLACES)('repaired twice: $name', ({ format, dialect, container, records }) => {
  const shape = dialects.find(({ id }) => id === dialect)!
  it.each(corruptions.map(({ id }) => id))('%s', { timeout: 120_000 }, (id) => {
    const corruption = corruptions.find((one) => one.id === id)!
    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = new Random(seed)
      const broken = corruption.apply(conversation(dialect, random), shape, random)
      const history = broken?.filter((message) => !isObject(message) || message['role'] !== 'system')
      if (!history || history.length < 2) continue
      const lines = records(history).map((one) => bytesOf(JSON.stringify(one)))
      const kind = DAMAGE[(seed + id.length) % DAMAGE.length]!
      const { head, between, tail } = container
      const whole = bytesOf(head + lines.map(textOf).join(between) + tail)
      for (const bytes of [whole, damage(lines, kind, seed, container).bytes])
        for (const lossy of LONG ? [false, true] : [(seed + kind.length) % 2 === 0])
          expect(wrong(format, bytes, lossy), `seed ${seed}, ${bytes === whole ? 'whole' : kind}`).toEqual([])
    }
  })
})

const linesOf = (...records: readonly object[]) => records.map((one) => JSON.stringify(one)).join('\n')
const start = { type: 'session.start', data: {}, id: '9' }
const messageOf = (role: string, ...content: readonly object[]) => ({ role, content })
const text = { type: 'text', text: 'hello' }

/** Files in which one repair uncovers the next. */
const UNCOVERING: readonly (readonly [string, string, string])[] = [
  [
    'a link to a record that is removed',
    'copilot-cli',
    linesOf(start, { id: '0', parentId: 'b' }, { type: 'session.', data: {}, id: 'e', parentId: '6' }),
  ],
  [
    'a call without a result between such links',
    'copilot-cli',
    linesOf(
      start,
      { id: '0', parentId: 'b' },
      { id: '1', parentId: 'c', type: 'odd.event', data: {} },
      { id: '2', parentId: 'd', type: 'user.message', data: { content: 'go' } },
      { id: '3', parentId: '0', type: 'assistant.message', data: { toolRequests: [{ toolCallId: 'c1', name: 'ls' }] } },
      { id: '4', parentId: 'f', type: 'odd.event', data: { text: 'a\u2028b' } },
      { id: '4', parentId: 'f', type: 'odd.event', data: { text: 'a\u2028b' } },
    ),
  ],
  [
    'many records that are removed, each with a broken link',
    'copilot-cli',
    linesOf(start, ...Array.from({ length: 12 }, (_, i) => ({ id: `n${i}`, parentId: `gone${i}`, text: '\u2028' }))),
  ],
  [
    'an attachment that a message without content leads to',
    'claude-code',
    linesOf(
      { parentUuid: 'X', type: 'assistant', message: { content: [{}] }, uuid: '' },
      { parentUuid: '7', type: 'attachment', uuid: 'X' },
    ),
  ],
  [
    'two records without an id of their own',
    'claude-code',
    linesOf(
      { parentUuid: 'b', message: {}, type: 'assistant', uuid: '' },
      { parentUuid: '3', message: { content: [{}] }, type: 'assistant', uuid: 'b' },
    ),
  ],
  [
    'an answer before the result that leads to it',
    'pi',
    linesOf(
      { type: 'session' },
      { type: 'm', id: '3', parentId: '5' },
      { type: 'message', id: 'd', parentId: '0', message: messageOf('assistant', { text: 'Done.' }) },
      {
        type: 'message',
        id: '5',
        parentId: 'f',
        message: { ...messageOf('toolResult', text), toolCallId: 'c1', isError: true },
      },
    ),
  ],
  [
    'a circle beside two records with one id',
    'pi',
    linesOf(
      { type: 'm', id: 'two', parentId: '5' },
      { type: 'message', id: 'two', parentId: 'd', message: { role: 'toolResult' } },
      { type: 'message', id: 'r', parentId: 'a', message: messageOf('toolResult', text) },
      { type: 'message', id: 'a', parentId: 'r', message: { role: 'assistant', api: 'o' } },
    ),
  ],
  [
    'a beginning that is its own parent',
    'pi',
    linesOf(
      {
        type: 'message',
        id: 'e',
        parentId: 'e',
        message: messageOf('assistant', { type: 'toolCall', id: 'c1', name: 'B' }),
      },
      { type: 'message', id: '', parentId: '', message: { ...messageOf('toolResult', text), toolCallId: 'c1' } },
    ),
  ],
  [
    'a beginning that is its own parent, and a call without an id',
    'qwen-code',
    linesOf(
      {
        uuid: '1',
        parentUuid: '1',
        type: 'assistant',
        message: { role: 'model', parts: [{ functionCall: { name: '', args: {} } }] },
      },
      {
        uuid: '2',
        parentUuid: 'gone',
        type: 'tool_result',
        message: { role: 'user', parts: [{ functionResponse: { id: '', name: '', response: { output: 'hello' } } }] },
      },
    ),
  ],
  [
    'two records with one id, one of them without content',
    'qwen-code',
    linesOf(
      { uuid: '6', parentUuid: null, type: 'user', message: { parts: [{ text: 'hello' }] } },
      { uuid: 'b', parentUuid: '6', type: 'system' },
      { uuid: '6', parentUuid: null, type: 'user', message: { parts: [{}] } },
      { uuid: 'a', parentUuid: 'b', type: 'assistant', message: { parts: [{ text: 'answer' }] } },
    ),
  ],
]

describe('a repair is complete', () => {
  it.each(UNCOVERING)('%s: %s', (_name, format, written) => {
    for (const lossy of [false, true]) expect(wrong(format, bytesOf(written), lossy), `lossy ${lossy}`).toEqual([])
    const options = { force: true }
    const { bytes, remaining } = planRepair(openSessionFile({ bytes: bytesOf(written) }, { format }), options)
    expect(remaining.filter(({ repair }) => repair === 'safe')).toEqual([])
    const shown = openSessionFile({ bytes }, { format }).conversations.map(({ history }) => JSON.stringify(history))
    if (written.includes('hello')) expect(shown.join()).toContain('hello')
  })
})

/** A call and its result whose id no provider accepts; the record of the result has fields of its own. */
const RENAMED: readonly (readonly [string, string, string])[] = [
  [
    'claude-code',
    'toolUseResult',
    linesOf(
      { parentUuid: null, type: 'user', uuid: 'u', message: messageOf('user', text) },
      {
        parentUuid: 'u',
        type: 'assistant',
        uuid: 'a',
        message: messageOf('assistant', { type: 'tool_use', id: 'c 1', name: 'ls', input: {} }),
      },
      {
        parentUuid: 'a',
        type: 'user',
        uuid: 'r',
        toolUseResult: { own: 1 },
        message: messageOf('user', { type: 'tool_result', tool_use_id: 'c 1', content: 'found' }),
      },
    ),
  ],
  [
    'pi',
    'details',
    linesOf(
      { type: 'session', id: 's', timestamp: 't', version: 3 },
      { type: 'message', id: 'u', parentId: null, message: messageOf('user', text) },
      {
        type: 'message',
        id: 'a',
        parentId: 'u',
        message: messageOf('assistant', { type: 'toolCall', id: '', name: 'ls', arguments: {} }),
      },
      {
        type: 'message',
        id: 'r',
        parentId: 'a',
        message: { ...messageOf('toolResult', text), toolCallId: '', toolName: 'ls', details: { own: 1 } },
      },
    ),
  ],
]

it.each(RENAMED)('%s: a result with a new id stays in its record, which keeps %s', (format, key, written) => {
  const plan = planRepair(openSessionFile({ bytes: bytesOf(written) }, { format }), { force: true })
  expect(plan.changes.map(({ op }) => op)).toEqual(['replace', 'replace'])
  expect(textOf(plan.bytes)).toContain(`"${key}":{"own":1}`)
  expect(wrong(format, bytesOf(written), false)).toEqual([])
})
