/**
 * Every list of providers, compared with the one table (`src/providers/index.ts`). A list that leaves a provider out
 * says why.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { judge, PROVIDERS, startContract } from '../contract/index.ts'
import { CURRENT } from '../scripts/benchmarks/current-models.ts'
import { ways } from '../scripts/guard-clients.ts'
import { knownUpstreams } from '../src/gateway/index.ts'
import { dialects, providers } from '../src/index.ts'
import { namedServices, serviceByName } from '../src/session-files/service-by-name.ts'
import { models } from './model-names.ts'
import { served, withoutOverflow } from './served-overflows.ts'

const read = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8')

const all: readonly string[] = providers.map(({ id }) => id)
/** Histories inside a program: nothing is requested by them. */
const IN_PROCESS: readonly string[] = ['ai-sdk', 'ai-sdk-ui', 'langchain']
const requested = all.filter((id) => !IN_PROCESS.includes(id))

/** Why a provider is not in a list. */
type Reasons = Readonly<Record<string, string>>

interface List {
  readonly where: string
  readonly list: readonly string[]
  readonly without?: Reasons
}

const lists: readonly List[] = [
  { where: 'contract/judge.ts', list: PROVIDERS },
  { where: 'test/model-names.ts', list: Object.keys(models) },
  { where: 'test/served-overflows.ts', list: served.map(([provider]) => provider), without: withoutOverflow },
  {
    where: 'scripts/guard-clients.ts',
    list: ways.map(({ provider }) => provider),
    without: { 'openai-responses': 'the client of openai asks this endpoint' },
  },
  {
    where: 'src/gateway/upstreams.ts',
    list: Object.keys(knownUpstreams),
    without: {
      'openai-responses': 'has the address of openai',
      azure: 'each account has an address',
      vertex: 'each project has an address',
      copilot: 'its keys are not meant for other clients',
      dashscope: 'an address for each region',
      zhipu: 'an address for each region',
      minimax: 'an address for each region',
      llamacpp: 'runs on a machine of the user',
      vllm: 'runs on a machine of the user',
      ollama: 'runs on a machine of the user',
    },
  },
]

it.each(lists)('$where has every provider that is requested', ({ list, without = {} }) => {
  expect(Object.keys(without).filter((id) => list.includes(id))).toEqual([])
  expect([...new Set([...list, ...Object.keys(without)])].sort()).toEqual([...requested].sort())
})

it('scripts/benchmarks/current-models.ts has every provider, and only dialects that it serves', () => {
  const served = providers.flatMap(({ id, serves }) => serves.map(({ dialect }) => `${id} ${dialect.id}`))
  expect(Object.keys(CURRENT).filter((row) => !served.includes(row))).toEqual([])
  expect(all.filter((id) => !Object.keys(CURRENT).some((row) => row.startsWith(`${id} `)))).toEqual([])
})

it('the emulator serves each of them by its own judge', async () => {
  for (const provider of requested) {
    const running = await startContract({ provider })
    await running.close()
  }
  const open = [
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'a', arguments: '{}' } }],
    },
    { role: 'user', content: 'well?' },
  ]
  const contract = await startContract()
  for (const provider of PROVIDERS.filter((id) => ways.some((one) => one.provider === id && one.endpoint === 'chat'))) {
    const body = { model: 'm', messages: open }
    const own = judge({ provider, endpoint: 'chat', body })
    const response = await fetch(`${contract.url}/${provider}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect([provider, response.ok]).toEqual([provider, own.accepted])
    const text = await response.text()
    if (!own.accepted) expect(text).toContain(JSON.stringify(own.message).slice(1, -1))
  }
  await contract.close()
})

it('the names of docs/guide/repair.md are all ids', () => {
  const row = (name: string) =>
    [
      ...read('docs/guide/repair.md')
        .match(new RegExp(`^\\| \`${name}\` \\|.*$`, 'm'))![0]
        .matchAll(/`([\w-]+)`/g),
    ].map(([, id]) => id!)
  expect(all.filter((id) => !row('provider').includes(id))).toEqual([])
  expect(dialects.map(({ id }) => id).filter((id) => !row('dialect').includes(id))).toEqual([])
})

it('docs/guide/gateway.md names every known upstream, and no other', () => {
  const row = read('docs/guide/gateway.md').match(/^\| (`\/openai.*) \| the provider of that name \|$/m)![1]!
  const named = [...row.matchAll(/`\/([\w-]+)[^`]*`/g)].map(([, id]) => id!)
  expect(named.sort()).toEqual(Object.keys(knownUpstreams).sort())
})

it('a service that an agent names by the id of its provider is that provider', () => {
  /** Claude there is asked in Anthropic's dialect; agents store no other. */
  const asMaker: Readonly<Record<string, string>> = {
    'openai-responses': 'openai',
    bedrock: 'anthropic',
    vertex: 'gemini',
  }
  expect(requested.map((id) => [id, serviceByName(id).provider])).toEqual(
    requested.map((id) => [id, asMaker[id] ?? id]),
  )
  expect(namedServices.filter(({ provider }) => !all.includes(provider))).toEqual([])
})
