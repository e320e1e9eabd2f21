/**
 * Options that are mistyped or of a wrong type: each entry point names the option, the expected type and a suggestion.
 */

import { afterAll, describe, expect, it } from 'vitest'
import { contractFetch, judge, startContract } from '../contract/index.ts'
import { resumeTurn, runTurn, subagent } from '../src/agent.ts'
import { compactSession, rawHead, summarizeBy } from '../src/compact.ts'
import { suggest } from '../src/core/options.ts'
import { gateway } from '../src/gateway/index.ts'
import { explain, middleware, shrinkMemory } from '../src/guard/index.ts'
import { apply, invert } from '../src/index.ts'
import { memoryStore } from '../src/session.ts'
import { running } from './gateway/start-gateway.ts'
import { compact, compactWith, guard, lint, openSession, plan, repair, rounds, split, turns } from './untyped-api.ts'

// biome-ignore lint/suspicious/noExplicitAny: wrong use is what no type allows.
type Any = any
const h = [{ role: 'user', content: 'hi' }]
const session = await openSession(memoryStore(), 'c', { provider: 'openai' })
const to = { provider: 'openai' } as const
const ask = { model: 'gpt-5', url: 'http://127.0.0.1:1' }
const tool = { name: 'look', parameters: { type: 'object' }, run: () => 'x' }
const up = { upstreams: { openai: { url: 'http://127.0.0.1:1' } } }

const cases: [string, () => unknown, RegExp][] = [
  ['explain()', () => explain(undefined), /the error that a client threw/],
  [
    'guard not called',
    () => (guard as Any)('https://api.openai.com/v1/chat/completions', {}),
    /Pass guard\(\) to the client/,
  ],
  ['guard not called, with a Request', () => (guard as Any)(new Request('https://api.openai.com')), /Pass guard\(\)/],
  ['guard({ fetch })', () => guard({ fetch: 'x' as Any }), /"fetch" of guard must be a function, but got "x"/],
  ['openSession(store, id)', () => (openSession as Any)(memoryStore(), 'c'), /provider: 'anthropic'/],
  ['append({})', () => session.append({} as Any), /takes an array of messages/],
  [
    'runTurn without options',
    () => (runTurn as Any)(session, 'x'),
    /options of runTurn must be an object, but got undefined/,
  ],
  ['runTurn without a prompt', () => runTurn(session, undefined as Any, ask), /A prompt that is not a string/],
  ['runTurn without a session', () => runTurn({} as Any, 'x', ask), /openSession/],
  [
    'a tool without parameters',
    () => runTurn(session, 'x', { ...ask, tools: [{ ...tool, parameters: undefined }] as Any }),
    /parameters of the tool "look" must be a JSON Schema.*properties: \{\}/,
  ],
  [
    'a tool without run',
    () => runTurn(session, 'x', { ...ask, tools: [{ ...tool, run: undefined, execute: () => 1 }] as Any }),
    /"run" of the tool "look" must be a function/,
  ],
  [
    'a tool mistyped',
    () => runTurn(session, 'x', { ...ask, tools: [{ ...tool, timoutMs: 5 }] as Any }),
    /Did you mean "timeoutMs"/,
  ],
  ['compact(h)', () => (compact as Any)(h), /Name the provider that gets the history/],
  ['pins', () => compact(h, { ...to, pins: 'x' as Any }), /"pins" of compact must be an array of strings/],
  ['apply(h, {})', () => apply(h, {} as Any), /A patch must be an array, but got an object without keys/],
  ['apply of no edit', () => apply(h, [{ op: 'put' }] as Any), /An edit of a patch is/],
  ['invert({})', () => invert({} as Any), /A patch must be an array/],
  ['rejectedBy', () => lint(h, { ...to, rejectedBy: ['no-such-rule'] }), /Unknown rule "no-such-rule" in "rejectedBy"/],
  [
    'rejected, mistyped',
    () => repair(h, { ...to, rejectedBy: ['tool-result-mising'] }),
    /Did you mean "tool-result-missing"/,
  ],
  [
    'off',
    () => guard({ recovery: { disabled: ['shrnk' as Any] } }),
    /Unknown recovery "shrnk" in "disabled". Did you mean "shrink"/,
  ],
  [
    'budget',
    () => compact(h, { ...to, budget: { limt: 5 } as Any }),
    /Unknown option "limt" of budget. Did you mean "limit"\?/,
  ],
  ['a budget of a session', () => compactSession(session, { budget: { limt: 5 } as Any }), /Did you mean "limit"/],
  [
    'strategies',
    () => compact(h, { ...to, strategies: { clear: { keepTokns: 5 } as Any } }),
    /"keepTokns" of strategies.clear. Did you mean "keepTokens"/,
  ],
  ['a strategy', () => compact(h, { ...to, strategies: { ladder: ['shrnk' as Any] } }), /Did you mean "shrink"/],
  [
    'page',
    () => session.page({ from: 'latest' as Any }),
    /"from" of page must be one of newest, oldest, but got "latest"/,
  ],
  ['lint', () => lint(h, { ...to, modle: 'x' } as Any), /Did you mean "model"/],
  [
    'strict of a wrong type',
    () => lint(h, { ...to, strict: 'yes' as Any }),
    /"strict" of lint and repair must be true or false, but got "yes"/,
  ],
  ['a provider', () => lint(h, { provider: 'antropic' }), /Unknown provider "antropic". Did you mean "anthropic"\?/],
  [
    'a policy',
    () => lint(h, { ...to, policy: { orphans: 'drop' } as Any }),
    /Unknown policy "orphans". Did you mean "orphan"/,
  ],
  [
    'a choice of a policy',
    () => lint(h, { ...to, policy: { orphan: 'drp' } as Any }),
    /Unknown choice "drp" in policy.orphan. Did you mean "drop"/,
  ],
  [
    'openSession: a provider',
    () => openSession(memoryStore(), 'd', { provider: 'antropic' }),
    /Did you mean "anthropic"/,
  ],
  [
    'openSession: a dialect',
    () => openSession(memoryStore(), 'd', { provider: 'openai', dialect: 'openai-caht' }),
    /openai does not serve the dialect "openai-caht". Did you mean "openai-chat"/,
  ],
  [
    'a dialect object',
    () => turns(h, { dialect: {} as Any }),
    /Option "dialect" must be a dialect object, but got an object without keys/,
  ],
  ['guard: a provider', () => guard({ provider: 'antropic' }), /Did you mean "anthropic"/],
  [
    'gateway: a provider',
    () => gateway({ upstreams: { a: { url: 'http://a', provider: 'opnai' as Any } } }),
    /Did you mean "openai"/,
  ],
  ['a dialect', () => lint(h, { provider: 'strictest', dialect: 'openai-caht' }), /Did you mean "openai-chat"/],
  ['a cause', () => lint(h, { ...to, cause: 'losst' as Any }), /Did you mean "lost"/],
  ['split', () => split(h, { minKep: 2 } as Any), /Did you mean "minKeep"/],
  ['turns', () => turns(h, { dialct: 'x' } as Any), /Did you mean "dialect"/],
  ['rounds', () => rounds(h, { dialct: 'x' } as Any), /Did you mean "dialect"/],
  ['guard', () => guard({ idleTimeotMs: 5 } as Any), /Did you mean "idleTimeoutMs"/],
  ['guard: a level', () => guard({ level: 'repiar' as Any }), /did you mean "repair"/],
  ['guard: a dialect', () => guard({ dialect: 'openai-caht' as Any }), /Did you mean "openai-chat"/],
  ['guard: recovery', () => guard({ recovery: { policy: {} } as Any }), /Unknown option "policy"/],
  ['guard: repair', () => guard({ repair: { polcy: {} } as Any }), /Did you mean "policy"/],
  [
    'guard: a header',
    () =>
      guard({ fetch: contractFetch() })('https://api.openai.com/v1/chat/completions', {
        method: 'POST',
        headers: { suture: 'sometimes' },
        body: '{}',
      }),
    /header "suture" must be one of on, off, lint, repair, recover, but got "sometimes"/,
  ],
  ['middleware', () => middleware({ recovery: {} } as Any), /Unknown option "recovery" of middleware/],
  ['shrinkMemory', () => shrinkMemory({ maxByts: 5 } as Any), /Did you mean "maxBytes"/],
  ['plan', () => plan(h, { ...to, forced: true } as Any), /Did you mean "force"/],
  ['compactWith', () => compactWith(h, { ...to, summarise: () => 'x' } as Any), /Did you mean "summarize"/],
  ['compactSession: a signal', () => compactSession(session, { signl: 1 } as Any), /Did you mean "signal"/],
  ['rawHead', () => rawHead(h, { ...to, dialct: 'x' } as Any), /Did you mean "dialect"/],
  ['summarizeBy', () => summarizeBy({ sned: () => {} } as Any), /Did you mean "send"/],
  ['runTurn', () => runTurn(session, 'x', { ...ask, maxParalelTools: 2 } as Any), /Did you mean "maxParallelTools"/],
  ['runTurn: guard', () => runTurn(session, 'x', { ...ask, guard: { leve: 'off' } } as Any), /Did you mean "level"/],
  ['resumeTurn', () => resumeTurn(session, { ...ask, aproval: {} } as Any), /Did you mean "approv/],
  [
    'subagent',
    () => subagent({ ...ask, name: 'a', description: 'b', sesion: () => session } as Any),
    /Did you mean "session"/,
  ],
  ['gateway', () => gateway({ ...up, derived: true } as Any), /Did you mean "derive"/],
  ['gateway without upstreams', () => gateway({} as Any), /Name at least one upstream/],
  [
    'gateway: an upstream',
    () => gateway({ upstreams: { a: { ulr: 'x' } } } as Any),
    /"ulr" of the upstream "a". Did you mean "url"/,
  ],
  ['gateway: an address', () => gateway({ upstreams: { a: { url: 'api.openai.com' } } }), /must be an address such as/],
  ['gateway: limits', () => gateway({ ...up, limits: { maxBodyByte: 5 } as Any }), /Did you mean "maxBodyBytes"/],
  ['gateway: a key', () => gateway({ ...up, keys: [{ name: 'me', hash: 'secret' }] }), /64 hexadecimal digits/],
  ['gateway: a port', () => gateway(up).listen({ port: '80' as Any }), /"port" of listen must be a port/],
  ['judge()', () => (judge as Any)(), /request of judge must be an object, but got undefined/],
  ['judge: a provider', () => judge({ provider: 'antropic', body: {} }), /Did you mean "anthropic"/],
  ['judge: a field', () => judge({ ...to, bdy: {} } as Any), /Did you mean "body"/],
  ['startContract', () => startContract({ tokenLimt: 5 } as Any), /Did you mean "tokenLimit"/],
  ['contractFetch: a step', () => contractFetch({ script: [{ txt: 'x' }] as Any }), /Did you mean "text"/],
  ['contractFetch: a provider', () => contractFetch({ provider: 'antropic' }), /Did you mean "anthropic"/],
]

it.each(cases)('%s', async (_name, work, message) => {
  const error = await (async () => work())().then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({
    name: expect.stringMatching(/^(Suture|Contract)Error$/),
    message: expect.stringMatching(message),
  })
})

describe('the gateway', async () => {
  const { url, close, contract } = await running({ store: memoryStore() })
  afterAll(close)
  const post = (headers: Record<string, string>) =>
    fetch(`${url}/openai/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model: 'gpt-4o', messages: h }),
    })

  it.each<[Record<string, string>, string]>([
    [
      { suture: 'sometimes' },
      'The header "suture" must be one of on, off, lint, repair, recover, but got "sometimes".',
    ],
    [{ suture: 'repiar' }, 'Did you mean "repair"?'],
    [{ 'suture-sesion': 'mine' }, 'Unknown header "suture-sesion". Did you mean "suture-session"?'],
    [{ 'suture-session': 'mine', 'suture-mode': 'apend' }, 'suture-mode must be append, record or pass'],
  ])('answers %j with 400, and nothing is sent', async (headers, words) => {
    const before = contract.requests.length
    const response = await post(headers)
    const { error } = (await response.json()) as { error: { message: string } }
    expect([response.status, error.message]).toEqual([400, expect.stringContaining(words)])
    expect(contract.requests.length).toBe(before)
  })

  it('takes its own words in any case, and drops headers that only begin like its own', async () => {
    for (const headers of [
      { suture: ' Repair ' },
      { suture: 'on' },
      { 'suture-request-id': 'x' },
      { 'suture-color': 'red' },
    ] as Record<string, string>[])
      expect((await post(headers)).status).toBe(200)
  })

  it('reports that the id of a fork is in use, and a wrong number of turns', async () => {
    for (const id of ['one', 'two']) await post({ 'suture-session': id })
    const api = `${url}/suture/v1/sessions/one`
    const fork = await fetch(`${api}/fork`, { method: 'POST', body: JSON.stringify({ id: 'two' }) })
    expect([fork.status, await fork.text()]).toEqual([409, expect.stringContaining('A session with this id exists')])
    for (const last of ['NaN', 'all', '-1', '']) {
      const exported = await fetch(`${api}/export?last=${last}`)
      expect([exported.status, await exported.text()]).toEqual([
        400,
        expect.stringContaining('must be a number of turns from 0'),
      ])
    }
  })

  it('a session of another dialect is named', async () => {
    await post({ 'suture-session': 'tongue', 'suture-mode': 'append' })
    const other = await fetch(`${url}/anthropic/v1/messages`, {
      method: 'POST',
      headers: { 'suture-session': 'tongue', 'suture-mode': 'append' },
      body: JSON.stringify({ model: 'claude-opus-4-5', max_tokens: 9, messages: h }),
    })
    const words = expect.stringContaining(
      'This session is stored in the dialect openai-chat, but the request is in anthropic-messages',
    )
    expect([other.status, await other.text()]).toEqual([400, words])
  })

  it('an operation that is sent again with other content is a conflict', async () => {
    const send = (content: string) =>
      fetch(`${url}/openai/v1/chat/completions`, {
        method: 'POST',
        headers: { 'suture-session': 'ops', 'suture-mode': 'append', 'suture-operation': 'op-1' },
        body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content }] }),
      })
    expect((await send('a')).status).toBe(200)
    const other = await send('b')
    expect([other.status, await other.text()]).toEqual([409, expect.stringContaining('with other content')])
  })
})

describe('suggestions', () => {
  it.each([
    ['limt', 'limit'],
    ['LIMIT', 'limit'],
    ['limti', 'limit'],
    ['body_limit', 'body-limit'],
    ['x', undefined],
    ['something else', undefined],
    ['l'.repeat(100_000), undefined],
  ])('%s', (word, near) => {
    expect(suggest(word, ['goal', 'limit', 'body-limit'])).toBe(near)
  })
})
