import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { judge } from '../../contract/index.ts'
import { hasCorpus, type Row, rowsOf } from '../../test/corpus.ts'
import { applied, errorsIn, optionsOf, repaired } from '../../test/session-files/conformance.ts'
import { bytesOf, inputOf } from '../../test/session-files/format-cases.ts'
import { skippable } from '../../test/skip-reasons.ts'
import { repair } from '../../test/untyped-api.ts'
import { formats } from './formats.ts'
import type { FileInput, SessionFormat } from './types.ts'

const root = process.env['SUTURE_SESSION_FILES'] ?? join(process.cwd(), '../shared/session-files')
const missing = !existsSync(root) && 'no session files; set SUTURE_SESSION_FILES to their folder'
const byId = (id: string) => formats.find((format) => format.id === id)!
const fileAt = (path: string): FileInput => ({ bytes: readFileSync(join(root, path)), path })
const rows = (path: string): FileInput => ({
  bytes: bytesOf(''),
  tables: JSON.parse(readFileSync(join(root, path), 'utf8')),
})

describe.skipIf(missing)(skippable('files that the agents wrote', missing), () => {
  const cline = (name: string) => fileAt(`cline-3.0.65/${name}`)
  const chats = 'gemini-cli-0.61.0'

  it('Cline, killed: the two open calls are closed, every other message keeps its bytes', () => {
    const input = cline('killed-in-tool/1794840954656_0cf9y.messages.json')
    const format = byId('cline')
    const file = format.read(input)
    expect(errorsIn(file)).not.toEqual([])
    const { bytes } = repaired(format, input)
    const now = format.read({ ...input, bytes })
    expect(errorsIn(now)).toEqual([])
    const text = Buffer.from(bytes).toString()
    for (const { start, end } of file.records)
      expect(text).toContain(Buffer.from(input.bytes.subarray(start, end)).toString())
    expect(text).toContain('"system_prompt"')
    expect(repaired(format, { ...input, bytes }).bytes).toBe(bytes)
  })

  it('Cline, stream cut: messages for the display only are not part of the request', () => {
    const file = byId('cline').read(cline('stream-cut/1794840889976_yo90j.messages.json'))
    expect(file.conversations[0]!.reach).toEqual({
      included: 4,
      total: 4,
      excluded: [{ record: 4, because: 'not-conversation' }],
    })
    expect(errorsIn(file)).toEqual([])
  })

  it.each(['70be8220-12b9-40b6-b818-38a486c46632', 'db9c086d-bd7e-4e09-a82c-1ec70187eda0'])(
    'Continue %s is valid',
    (id) => {
      const file = byId('continue').read(fileAt(`continue-1.5.47/complete/${id}.json`))
      expect([errorsIn(file), byId('continue').check(file), file.unknown]).toEqual([[], [], []])
    },
  )

  it.each(['killed-in-tool', 'stream-cut'])('Gemini CLI %s: the doubled result is found', (name) => {
    const path = name === 'stream-cut' ? 'session-2026-11-16T14-50-4a221e3e' : 'session-2026-11-16T14-42-aefb2f9c'
    const file = byId('gemini-cli').read(fileAt(`${chats}/${name}/${path}.jsonl`))
    expect(
      byId('gemini-cli')
        .check(file)
        .map(({ rule }) => rule),
    ).toEqual(['doubled-result'])
    expect(file.unknown).toEqual([])
  })

  it.each(['all-faults', 'killed-in-tool', 'killed-then-resumed'])(
    'Kimi Code %s: known records, no error beside open calls',
    (name) => {
      const file = byId('kimi-code').read(fileAt(`kimi-code-2.1.0/${name}/wire.jsonl`))
      expect(file.unknown).toEqual([])
      const open = errorsIn(file).filter((error) => !error.includes('tool-result-missing'))
      expect(open).toEqual([])
    },
  )

  it.each(['all-faults', 'killed-in-tool', 'killed-then-resumed', 'stream-cut'])('opencode %s', (name) => {
    const file = byId('opencode').read(rows(`opencode-1.18.33/${name}/opencode.db.rows.json`))
    const stuck = byId('opencode').check(file).length
    expect(stuck).toBe(name.startsWith('killed') ? 1 : 0)
    expect(file.conversations[0]!.history.length).toBeGreaterThan(2)
  })
})

const noCorpus = !hasCorpus && 'no corpus; set SUTURE_CORPUS to its folder'

/**
 * A broken history inside a file of a format, and how the repaired conversation is put to the provider that rejected
 * it.
 */
interface Holder {
  readonly id: string
  readonly dialects: readonly string[]
  file(row: Row): string
}

const chat = ['openai-chat']
const holders: readonly Holder[] = [
  {
    id: 'plain',
    dialects: ['openai-chat', 'anthropic', 'gemini', 'openai-responses'],
    file: ({ messages }) => JSON.stringify(messages, null, 2),
  },
  {
    id: 'cline',
    dialects: ['anthropic'],
    file: ({ messages }) => JSON.stringify({ version: 1, agent: 'lead', sessionId: 's', messages }),
  },
  { id: 'fine-tuning', dialects: chat, file: ({ messages }) => `${JSON.stringify({ messages })}\n` },
  { id: 'langchain', dialects: chat, file: ({ messages }) => JSON.stringify(messages.map(toLangchain)) },
  { id: 'ui-messages', dialects: chat, file: ({ messages }) => JSON.stringify(toUi(messages)) },
  {
    id: 'sharegpt',
    dialects: chat,
    file: ({ messages }) => JSON.stringify([{ conversations: messages.flatMap(toTurns) }]),
  },
]

/** Calls with the result that has their id; results without a call cannot be stored in this format. */
function toUi(messages: readonly unknown[]) {
  const list = messages as readonly Loose[]
  const outputs = new Map(
    list.filter(({ role }) => role === 'tool').map((one) => [one['tool_call_id'] as unknown, one.content]),
  )
  return list
    .filter(({ role }) => role !== 'tool')
    .map(({ role, content, tool_calls = [] }, i) => ({
      id: `m${i}`,
      role,
      parts: [
        ...(typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : []),
        ...tool_calls.map(({ id, function: { name, arguments: args } }) => ({
          type: `tool-${name}`,
          toolCallId: id,
          input: parsed(args),
          ...(outputs.has(id) ? { state: 'output-available', output: outputs.get(id) } : { state: 'input-available' }),
        })),
      ],
    }))
}

type Loose = Record<string, never> & {
  role: string
  content: unknown
  tool_calls?: { id: string; function: { name: string; arguments: string } }[]
}

function toLangchain(message: unknown) {
  const { role, content, tool_calls = [], ...rest } = message as Loose
  const type = { user: 'human', assistant: 'ai', system: 'system', tool: 'tool' }[role] ?? role
  const calls = tool_calls.map(({ id, function: { name, arguments: args } }) => ({
    id,
    name,
    args: parsed(args),
    type: 'tool_call',
  }))
  return {
    type,
    data: {
      content: content ?? '',
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
      ...('tool_call_id' in rest ? { tool_call_id: rest['tool_call_id'] } : {}),
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

function toTurns(message: unknown): unknown[] {
  const { role, content, tool_calls = [] } = message as Loose
  const from = { user: 'human', assistant: 'gpt', tool: 'observation' }[role] ?? role
  const calls = tool_calls.map(({ function: { name, arguments: args } }) => ({ name, arguments: parsed(args) }))
  if (calls.length === 0) return [{ from, value: content ?? '' }]
  return [{ from: 'function_call', value: JSON.stringify(calls.length === 1 ? calls[0] : calls) }]
}

const ENDPOINTS: Readonly<Record<string, readonly [string, 'chat' | 'messages' | 'gemini' | 'responses', string]>> = {
  'openai-chat': ['openai', 'chat', 'messages'],
  'anthropic-messages': ['anthropic', 'messages', 'messages'],
  gemini: ['gemini', 'gemini', 'contents'],
  'openai-responses': ['openai', 'responses', 'input'],
}

describe.skipIf(noCorpus)(skippable('broken histories of issues, in each format that is written', noCorpus), () => {
  it.each(holders.map((holder) => [holder.id, holder] as const))(
    '%s: accepted after the repair, and a second repair changes nothing',
    (id, holder) => {
      const format: SessionFormat = byId(id)
      const rowsHere = rowsOf('issues-broken').filter(({ dialect }) => holder.dialects.includes(dialect))
      expect(rowsHere.length).toBeGreaterThan(2)
      for (const row of rowsHere) {
        const input = inputOf(holder.file(row))
        // The history is about to be sent, whatever the format says about open calls.
        const repairAll = (one: FileInput) => {
          const file = format.read(one)
          const changes = file.conversations.flatMap((conversation) =>
            format.write(
              file,
              conversation,
              repair(conversation.history, { ...optionsOf(conversation), inProgress: false }).patch,
            ),
          )
          return applied(format, file, changes)
        }
        const bytes = repairAll(input)
        const now = format.read({ ...input, bytes })
        expect(errorsIn(now), row.id).toEqual([])
        expect(repairAll({ ...input, bytes }), row.id).toBe(bytes)
        for (const { dialect, history } of now.conversations) {
          const seat = ENDPOINTS[dialect]
          if (!seat) continue
          const [provider, endpoint, key] = seat
          const verdict = judge({ provider, endpoint, body: { model: 'm', max_tokens: 9, [key]: history } })
          expect(verdict, row.id).toEqual({ accepted: true })
        }
      }
    },
  )
})
