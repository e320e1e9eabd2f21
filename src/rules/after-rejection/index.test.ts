/** Which rules are checked in a history, and which only after a rejection. */
import { expect, it } from 'vitest'
import { type ConstraintTable, type Dialect, lint, repair } from '../../core/index.ts'
import { anthropicMessages, openaiResponses } from '../../dialects/index.ts'
import { providers } from '../../providers/index.ts'
import { rules } from '../index.ts'
import { afterRejection } from './index.ts'

const ids: readonly string[] = afterRejection.map(({ id }) => id)

it('every other rule has a constraint at a provider: without one it would see nothing', () => {
  const stated = new Set(
    providers.flatMap(({ serves }) =>
      serves.flatMap(({ constraints }) => Object.keys(constraints).filter((id) => constraints[id])),
    ),
  )
  expect(rules.map(({ id }) => id).filter((id) => !ids.includes(id) && !stated.has(id))).toEqual([])
})

const text = { type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } }
const pdf = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjQK' } }
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }
const thinking = { type: 'thinking', thinking: 'hm', signature: 'c2lnbmVk' }
const claude = [
  { role: 'user', content: [text, image, pdf] },
  { role: 'assistant', content: [thinking, { type: 'text', text: 'hello' }] },
]
const items = [
  { role: 'user', content: 'go' },
  { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'look', arguments: '{}' },
  { type: 'function_call_output', call_id: 'call_1', output: 'ok' },
]
const bodies: readonly (readonly [Dialect, object])[] = [
  [anthropicMessages, { messages: claude }],
  [openaiResponses, { input: items, previous_response_id: 'resp_1' }],
]

it.each(ids)('%s finds nothing, with any constraint, until a rejection names it', (id) => {
  const constraints: ConstraintTable = { [id]: { evidence: 'documented' } }
  const changed = bodies.map(([dialect, body]) => {
    const target = { service: { dialect, constraints }, rules, strict: true }
    expect(lint(body, target)).toEqual([])
    expect(repair(body, target).value).toBe(body)
    const after = repair(body, { ...target, rejectedBy: [id] })
    expect(after.findings.map(({ rule }) => rule)).toEqual(after.value === body ? [] : after.findings.map(() => id))
    return after.value !== body
  })
  expect(changed).toContain(true)
})
