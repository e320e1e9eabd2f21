/**
 * Broken conversations in every format that is written, whole and damaged: repaired, and repaired again. The second repair changes nothing,
 * and no repair empties a file or gives two records the same id. A sample here, more with SUTURE_LONG=1.
 */
import { describe, expect, it } from 'vitest'
import { isObject } from '../../src/core/index.ts'
import { dialects } from '../../src/dialects/index.ts'
import { openSessionFile, planRepair } from '../../src/session-files/index.ts'
import { bytesOf, textOf } from '../../src/session-files/salvage/bytes.ts'
import type { SessionFile } from '../../src/session-files/types.ts'
import { conversation, corruptions, Random } from '../../src/testing/corruptions/index.ts'
import { runsOf } from '../long-runs.ts'
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
        for (const lossy of [false, true])
          expect(wrong(format, bytes, lossy), `seed ${seed}, ${bytes === whole ? 'whole' : kind}`).toEqual([])
    }
  })
})
