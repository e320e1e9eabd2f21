/**
 * Every recovery against the strict emulators: a request is rejected, the rejection classified from the provider's own
 * words, recovered, accepted.
 */
import { describe, expect, it } from 'vitest'
import { judge } from '../contract/index.ts'
import { overflow } from '../contract/server/overflow.ts'
import type { IncomingRequest } from '../contract/server/types.ts'
import { failureBody } from '../contract/server/wire/failure.ts'
import { tables } from '../contract/testing/cases/index.ts'
import type { Dialect } from '../src/core/index.ts'
import type { Attempt } from '../src/guard/recoveries/index.ts'
import { byBytes } from '../src/strategies/shrink.ts'
import { judged, type Provider, save, serviceOf } from './recover-until-accepted.ts'
import { served } from './served-overflows.ts'

/** No edit of the history helps: an empty one, and what is declared beside it. */
const FATAL = ['messages-empty', 'tools-too-many', 'tool-declaration-name-invalid']

/** One text, several rules: the repair is the same. */
const SAME: Readonly<Record<string, string>> = {
  'tool-result-not-adjacent': 'tool-result-missing',
  'tool-call-id-empty': 'tool-call-id-format',
  'message-shape': 'content-shape',
  'text-after-tool-call': 'tool-result-missing',
  // MiniMax has one text for both.
  'tool-call-id-duplicate': 'tool-result-missing',
  'content-shape': 'foreign-message',
}

describe('a request that an emulator rejects', () => {
  for (const [name, { to, rejected }] of Object.entries(tables)) {
    it(`is accepted after recovery: ${name}`, async () => {
      for (const [what, [body, rule]] of Object.entries(rejected)) {
        const saved = await save({ ...to, body: body as Attempt['body'] })
        const [first] = saved.rejections
        const opaque = first?.rule === 'invalid-argument-opaque'
        const twice = rule === 'tool-result-duplicate'
        if (!opaque && !twice && first?.kind !== 'other')
          expect(first?.rule, what).toBe([rule, SAME[rule]].find((one) => one === first?.rule))
        if (FATAL.includes(first?.rule ?? '')) expect(saved.done, what).toEqual([])
        else expect(saved.accepted, `${what}: ${JSON.stringify(saved.rejections)}`).toBe(true)
      }
    })
  }
})

/** A provider with a window of this many tokens and its own error text. */
function windowed(window: number): Provider {
  return (request) => {
    const tokens = byBytes(JSON.stringify(request.body))
    const ask = { ...request, tokens, seed: 's', stream: false } as unknown as IncomingRequest
    const failure = tokens > window ? overflow(ask, window) : undefined
    return failure ? { status: failure.status, body: JSON.stringify(failureBody(failure, ask)) } : judged(request)
  }
}

const parts = (dialect: Dialect, message: unknown) => {
  const found: Parameters<Dialect['read']>[2] = []
  dialect.read(message, 0, found)
  return found
}

/** Rounds of one call each, by the dialect's own means; ids that every provider takes. */
function conversation(dialect: Dialect, results: readonly string[]): unknown[] {
  const history: unknown[] = []
  results.forEach((text, i) => {
    const blank = parts(dialect, dialect.textMessage('user', 'x'))[0]!
    const call = dialect.call(blank, `callid00${i}`, 'look')
    const held = dialect.wrapResults([dialect.answer(parts(dialect, call)[0]!, 'x')])[0]
    const part = parts(dialect, held)[0]!
    const value = dialect.write(part, part.value, { result: text })
    const whole = part.list.length === 0 && part.index < 0
    history.push(
      dialect.textMessage('user', `question ${i}`),
      call,
      ...(whole ? [value] : dialect.wrapResults([value])),
      dialect.textMessage('assistant', `answer ${i}`),
    )
  })
  return [...history, dialect.textMessage('user', 'and now?')]
}

/** Fields of Bedrock and Gemini outside the history. */
function bodyOf(dialect: Dialect, history: unknown[], model: string): Attempt['body'] {
  const tools =
    dialect.id === 'bedrock-converse'
      ? { toolConfig: { tools: [{ toolSpec: { name: 'look', inputSchema: { json: { type: 'object' } } } }] } }
      : {}
  return { model, [dialect.key]: history, ...tools }
}

describe('a request that is too long', () => {
  it.each(served)('is shrunk until %s at %s takes it', async (provider, endpoint, model) => {
    const { dialect } = serviceOf(provider, endpoint)
    const body = bodyOf(dialect, conversation(dialect, ['x'.repeat(60_000), 'small', 'y'.repeat(30_000)]), model)
    const saved = await save({ provider, endpoint, model, body }, { provider: windowed(9000) })
    expect(saved.accepted, JSON.stringify(saved.rejections)).toBe(true)
    expect(new Set(saved.done.map(({ id }) => id))).toEqual(new Set(['shrink']))
    expect(JSON.stringify(saved.body)).toContain('small')
    expect(JSON.stringify(saved.body)).toMatch(/left out/)
  })

  it.each(served)('has its oldest rounds dropped only if enabled: %s at %s', async (provider, endpoint, model) => {
    const { dialect } = serviceOf(provider, endpoint)
    const talk = (i: number) => [
      dialect.textMessage('user', `${i} ${'q'.repeat(4000)}`),
      dialect.textMessage('assistant', `${i} ${'a'.repeat(4000)}`),
    ]
    const long = [0, 1, 2, 3, 4, 5].flatMap(talk)
    const body = bodyOf(dialect, [...long, ...conversation(dialect, ['short', 'short'])], model)
    const request = { provider, endpoint, model, body }
    const kept = await save(request, { provider: windowed(9000) })
    expect(kept.accepted).toBe(false)
    expect(kept.body).toBe(body)
    const saved = await save(request, { provider: windowed(9000), options: { dropRounds: true } })
    expect(saved.accepted, JSON.stringify(saved.rejections)).toBe(true)
    expect(saved.done.map(({ id }) => id)).toContain('drop-rounds')
    expect(JSON.stringify(saved.body)).toContain('and now?')
    expect(judge({ ...request, body: saved.body }).accepted).toBe(true)
    // What was removed is described by the note of a compaction, without a model.
    expect(JSON.stringify(saved.body)).toContain('The user said: 0 qqq')
  })

  it.each(served)('or passed to a summarizer: %s at %s', async (provider, endpoint, model) => {
    const { dialect } = serviceOf(provider, endpoint)
    const body = bodyOf(
      dialect,
      conversation(
        dialect,
        Array.from({ length: 8 }, (_, i) => `${i}`.repeat(1000)),
      ),
      model,
    )
    const seen: number[] = []
    const summarize = (messages: readonly unknown[]) => {
      seen.push(messages.length)
      return 'They asked and were answered.'
    }
    const saved = await save(
      { provider, endpoint, model, body },
      { provider: windowed(1600), options: { summarize, disabled: ['shrink'] } },
    )
    expect(saved.accepted, JSON.stringify(saved.rejections)).toBe(true)
    expect(JSON.stringify(saved.body)).toContain('They asked and were answered.')
    expect(seen[0]).toBeGreaterThan(0)
  })

  it.each([
    ['empty', () => ' '],
    ['longer than what it replaces', (messages: readonly unknown[]) => JSON.stringify(messages).repeat(2)],
    ['failed', () => Promise.reject(new Error('down'))],
  ])('a summary that is %s changes nothing', async (_what, summarize) => {
    const { dialect } = serviceOf('openai', 'chat')
    const body = bodyOf(dialect, conversation(dialect, ['a'.repeat(3000), 'b'.repeat(3000)]), 'gpt-5')
    const saved = await save(
      { provider: 'openai', endpoint: 'chat', body },
      { provider: windowed(900), options: { summarize, disabled: ['shrink'] } },
    )
    expect(saved.done).toEqual([])
    expect(saved.body).toBe(body)
  })

  it('one endless turn is cut at a round, and what instructs the model stays', async () => {
    const { dialect } = serviceOf('openai', 'chat')
    const rounds = conversation(
      dialect,
      Array.from({ length: 6 }, () => 'r'.repeat(2000)),
    ).filter((message) => (message as { role: string }).role !== 'user')
    const history = [{ role: 'system', content: 'Be kind.' }, { role: 'user', content: 'go' }, ...rounds]
    const saved = await save(
      {
        provider: 'openai',
        endpoint: 'chat',
        body: { model: 'gpt-5', messages: [...history, { role: 'user', content: 'on' }] },
      },
      { provider: windowed(1800), options: { dropRounds: true, disabled: ['shrink'] } },
    )
    expect(saved.accepted).toBe(true)
    expect((saved.body['messages'] as unknown[])[0]).toEqual({ role: 'system', content: 'Be kind.' })
    expect((saved.body['messages'] as unknown[]).at(-1)).toEqual({ role: 'user', content: 'on' })
  })

  it('the summary of an earlier rejection reaches the next summary, and its note is not doubled', async () => {
    const { dialect } = serviceOf('openai', 'chat')
    const prompts: string[] = []
    const summarize = (messages: readonly unknown[]) => {
      prompts.push(JSON.stringify(messages))
      return `Summary ${prompts.length}: gate B42.`
    }
    const options = { provider: windowed(1600), options: { summarize, disabled: ['shrink'] as const } }
    const results = Array.from({ length: 8 }, (_, i) => `${i}`.repeat(1000))
    const body = bodyOf(dialect, conversation(dialect, results), 'gpt-5')
    const first = await save({ provider: 'openai', endpoint: 'chat', body }, options)
    const messages = [...(first.body['messages'] as unknown[]), ...conversation(dialect, results)]
    const second = await save({ provider: 'openai', endpoint: 'chat', body: { ...first.body, messages } }, options)
    expect(second.accepted).toBe(true)
    expect(prompts.at(-1)).toContain('gate B42')
    expect(JSON.stringify(second.body).split('<earlier-conversation').length).toBe(2)
  })

  it('ends when nothing is left to cut [OD14]', async () => {
    const body = { model: 'gpt-5', messages: [{ role: 'user', content: 'x'.repeat(90_000) }] }
    const saved = await save(
      { provider: 'openai', endpoint: 'chat', body },
      { provider: windowed(1000), options: { dropRounds: true, summarize: () => 's' } },
    )
    expect(saved).toMatchObject({ accepted: false, done: [] })
    expect(saved.body).toBe(body)
  })
})
