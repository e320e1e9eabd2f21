/**
 * Of two, which: cases where more than one outcome would be accepted by the provider, and only one is right for the
 * user. The promises (accepted, nothing lost) cannot tell these apart.
 */
import { describe, expect, it } from 'vitest'
import { guard } from '../src/guard/index.ts'
import { dialects } from '../src/index.ts'
import { memoryStore } from '../src/session.ts'
import { parseHistory, printHistory } from '../src/testing/index.ts'
import { lint, type NamedOptions, openSession, repair, split } from './untyped-api.ts'

const CHAT = { provider: 'openai', dialect: 'openai-chat' }
const MESSAGES = { provider: 'anthropic', dialect: 'anthropic-messages' }
const RESPONSES = { provider: 'openai-responses', dialect: 'openai-responses' }
const MADE = '[no result recorded]'

interface Choice {
  readonly options: NamedOptions & { readonly dialect: string }
  readonly given: string
  /** These lines are in the repaired history, in this order. */
  readonly keeps: readonly string[]
}

const choices: Readonly<Record<string, Choice>> = {
  'a failed result with text, then a whole one: the first stays, since both are real': {
    options: MESSAGES,
    given: `
      user: go
      assistant: call a run
      tool: failed a exit code 1
      tool: result a done
      assistant: ok`,
    keeps: ['tool: failed a exit code 1'],
  },
  'a failed result without text, then a whole one: the whole one stays': {
    options: MESSAGES,
    given: `
      user: go
      assistant: call a run
      tool: failed a
      tool: result a done
      assistant: ok`,
    keeps: ['tool: result a done'],
  },
  'two whole results: the first stays': {
    options: CHAT,
    given: `
      user: go
      assistant: call a run
      tool: result a one
      tool: result a two
      assistant: ok`,
    keeps: ['tool: result a one'],
  },
  'two whole results, `policy.duplicate: last`: the last stays': {
    options: { ...CHAT, policy: { duplicate: 'last' } } as Choice['options'],
    given: `
      user: go
      assistant: call a run
      tool: result a one
      tool: result a two
      assistant: ok`,
    keeps: ['tool: result a two'],
  },
  'a result between two calls with its id goes to the earlier one': {
    options: CHAT,
    given: `
      user: go
      assistant: call a run
      user: and?
      tool: result a late
      assistant: call a run
      tool: result a second
      assistant: ok`,
    keeps: ['tool: result a late', 'tool: result a second'],
  },
}

describe('which of two stays', () => {
  it.each(Object.entries(choices))('%s', (_, { options, given, keeps }) => {
    const { value, remaining } = repair(parseHistory(given, options.dialect), options)
    const lines = printHistory(value, dialects.find(({ id }) => id === options.dialect)!).split('\n')
    expect(lines.filter((line) => keeps.includes(line))).toEqual(keeps)
    expect(lines.filter((line) => /^tool: /.test(line))).toEqual(keeps)
    expect(remaining.filter(({ severity }) => severity === 'error')).toEqual([])
  })
})

describe('which mark of a cache goes', () => {
  const mark = { cache_control: { type: 'ephemeral' } }
  const text = (name: string, marked: boolean) => ({ type: 'text', text: name, ...(marked ? mark : {}) })
  const marked = (list: readonly unknown[]) => list.map((one) => 'cache_control' in (one as object))

  it('the last mark of messages, system and tools stays; of the others the later one', () => {
    const body = {
      tools: [
        { name: 'a', input_schema: { type: 'object' }, ...mark },
        { name: 'b', input_schema: { type: 'object' }, ...mark },
      ],
      system: [text('s1', true), text('s2', true)],
      messages: [{ role: 'user', content: [text('m1', true), text('m2', true)] }],
    }
    const { value } = repair(body, { ...MESSAGES, strict: true })
    const { tools, system, messages } = value
    expect(marked(messages[0]!.content)).toEqual([true, true])
    expect(marked(system)).toEqual([false, true])
    expect(marked(tools)).toEqual([false, true])
  })

  it('with one mark too many in system and in tools, that of the tools goes', () => {
    const body = {
      tools: [{ name: 'a', input_schema: { type: 'object' }, ...mark }],
      system: [text('s1', true)],
      messages: [{ role: 'user', content: ['1', '2', '3', '4'].map((name) => text(name, true)) }],
    }
    const { value } = repair(body, { ...MESSAGES, strict: true })
    expect(marked(value.tools).concat(marked(value.system))).toEqual([true, true])
    expect(marked(value.messages[0]!.content)).toEqual([false, false, true, true])
  })
})

describe('error or warning', () => {
  it('a second result, later, where results may be anywhere: a warning', () => {
    const history = parseHistory(
      `
      user: go
      assistant: call a run
      tool: result a one
      assistant: ok
      user: next
      tool: result a two`,
      'openai-responses',
    )
    expect(lint(history, RESPONSES).map(({ rule, severity }) => [rule, severity])).toEqual([
      ['tool-result-orphan', 'warning'],
    ])
  })
})

describe('where a history is cut', () => {
  const turn = (i: number) => [
    { role: 'user', content: `q${i}` },
    { role: 'assistant', content: `a${i}` },
  ]
  const rounds = (count: number) =>
    Array.from({ length: count }, (_, i) => [
      { role: 'assistant', content: null, tool_calls: [call(`c${i}`)] },
      { role: 'tool', tool_call_id: `c${i}`, content: 'ok' },
    ]).flat()
  const call = (id: string) => ({ id, type: 'function', function: { name: 'run', arguments: '{}' } })

  it('a last turn of exactly maxKeep messages stays whole', () => {
    const history = [...turn(1), { role: 'user', content: 'go' }, ...rounds(3)]
    expect(split(history, { minKeep: 2, maxKeep: 7, dialect: 'openai-chat' }).at).toBe(2)
    expect(split(history, { minKeep: 2, maxKeep: 6, dialect: 'openai-chat' }).at).toBe(7)
  })

  it('minKeep is a minimum: the cut goes back to the turn', () => {
    const history = [...turn(1), ...turn(2), ...turn(3)]
    expect(split(history, { minKeep: 3, dialect: 'openai-chat' }).at).toBe(2)
    expect(split(history, { minKeep: 4, dialect: 'openai-chat' }).at).toBe(2)
  })
})

describe('results that come late to a session', () => {
  const pair = (id: string, content: string) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'run', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: id, content },
  ]

  it('a copy of a result that is there is left out of the view', async () => {
    const session = await openSession(memoryStore(), 's', CHAT)
    await session.append([{ role: 'user', content: 'go' }, ...pair('a', 'done')])
    await session.append([{ role: 'tool', tool_call_id: 'a', content: 'done' }])
    const { history } = await session.view()
    expect(history.filter((one) => (one as { role: string }).role === 'tool')).toHaveLength(1)
    expect(JSON.stringify(history)).not.toContain(MADE)
  })
})

describe('which calls of a session are open', () => {
  const prompt = { role: 'user', content: 'Pay.' }
  const call = (id: string) => ({ type: 'tool-call', toolCallId: id, toolName: 'pay', input: {} })
  const asks = (id: string) => ({ type: 'tool-approval-request', approvalId: `for ${id}`, toolCallId: id })
  const approval = { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'for a', approved: true }] }
  const SDK = { provider: 'ai-sdk', dialect: 'ai-sdk' }
  const answered = (history: readonly unknown[]) =>
    [...JSON.stringify(history).matchAll(/"tool-result","toolCallId":"(.)"/g)].map(([, id]) => id)

  it('a call that was just approved runs next: it is not open, and the view does not answer it', async () => {
    const session = await openSession(memoryStore(), 's', SDK)
    await session.append([prompt, { role: 'assistant', content: [call('a'), asks('a')] }, approval])
    const { history } = await session.view()
    expect(session.open).toEqual([])
    expect(history).toHaveLength(3)
    expect(answered(history)).toEqual([])
  })

  it.each([
    ['alone', [approval]],
    ['after a prompt', [{ role: 'user', content: 'Yes.' }, approval]],
  ])('an approval that is appended later, %s, does not abandon its call', async (_how, later) => {
    const session = await openSession(memoryStore(), 's', SDK)
    await session.append([prompt, { role: 'assistant', content: [call('a'), asks('a')] }])
    await session.append(later)
    expect(answered((await session.view()).history)).toEqual([])
  })

  it('of two calls with one approval the view answers the other one, before the approval', async () => {
    const session = await openSession(memoryStore(), 's', SDK)
    await session.append([prompt, { role: 'assistant', content: [call('a'), asks('a'), call('b')] }, approval])
    const { history } = await session.view()
    expect(answered(history)).toEqual(['b'])
    expect(JSON.stringify(history.at(-1))).toContain('tool-approval-response')
  })

  it('the same for messages of the interface of the SDK', async () => {
    const part = (id: string, state: string) => ({ type: 'tool-pay', toolCallId: id, state, input: {} })
    const parts = [
      { ...part('a', 'approval-responded'), approval: { id: 'p', approved: true } },
      part('b', 'input-available'),
    ]
    const session = await openSession(memoryStore(), 's', { provider: 'ai-sdk-ui', dialect: 'ai-sdk-ui' })
    await session.append([
      { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Pay.' }] },
      { id: 'm', role: 'assistant', parts },
    ])
    const { history } = await session.view()
    const states = history.flatMap((one) => (one as { parts: { state?: string }[] }).parts.map(({ state }) => state))
    expect(states).toEqual([undefined, 'approval-responded', 'output-error'])
  })

  it('an open call of the interface of the SDK is answered in its own part, before and after the next prompt', async () => {
    const text = (text: string) => ({ type: 'text', text })
    const session = await openSession(memoryStore(), 's', { provider: 'ai-sdk-ui', dialect: 'ai-sdk-ui' })
    const open = { type: 'tool-pay', toolCallId: 'a', state: 'input-available', input: {} }
    await session.append([
      { id: 'u', role: 'user', parts: [text('Pay.')] },
      { id: 'm', role: 'assistant', parts: [open, text('One moment.')] },
    ])
    const idsAndStates = async () =>
      ((await session.view()).history as readonly { id: string; parts: { state?: string }[] }[]).map(
        ({ id, parts }) => `${id} ${parts.map(({ state }) => state ?? 'text').join(' ')}`,
      )
    const answered = ['u text', 'm output-error text']
    expect(await idsAndStates()).toEqual(answered)
    await session.append([{ id: 'u2', role: 'user', parts: [text('And?')] }])
    expect(await idsAndStates()).toEqual([...answered, 'u2 text'])
  })
})

describe('which repair follows a rejection', () => {
  const input = [
    { role: 'user', content: 'go' },
    { type: 'function_call', call_id: 'call_a', name: 'run', arguments: '{}' },
    { type: 'function_call_output', call_id: 'call_a', output: 'one' },
    { role: 'user', content: 'next' },
    { type: 'function_call_output', call_id: 'call_a', output: 'two' },
    { type: 'function_call', call_id: 'call_b', name: 'run it', arguments: '{}' },
    { type: 'function_call_output', call_id: 'call_b', output: 'three' },
    { role: 'user', content: 'next' },
  ]

  /**
   * The history that is sent again after one rejection: the second result of call_a and the name of call_b are
   * warnings.
   */
  async function sentAgain(id: string) {
    const message = `each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`
    const sent: { input: readonly unknown[] }[] = []
    const upstream: typeof fetch = async (_url, init) => {
      sent.push(JSON.parse(await new Response(init!.body).text()))
      const error = { error: { type: 'invalid_request_error', message } }
      return sent.length === 1 ? Response.json(error, { status: 400 }) : Response.json({ output: [] })
    }
    const body = JSON.stringify({ model: 'gpt-5', input })
    await guard({ fetch: upstream })('https://api.openai.com/v1/responses', { method: 'POST', body })
    return sent[1]!.input
  }

  it('the first one that changes a message with the id of the rejection', async () => {
    expect(JSON.stringify(await sentAgain('call_a'))).toContain('"run it"')
    expect(JSON.stringify(await sentAgain('call_b'))).toContain('"run_it"')
  })

  it('the first one that changes anything, if no message has the id', async () => {
    expect(JSON.stringify(await sentAgain('call_z'))).toContain('"run it"')
  })
})
