/**
 * The option tables of the guides name exactly the options that the functions take. The functions list them in the
 * error for an unknown option, so that no second list is needed here.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { judge, startContract } from '../contract/index.ts'
import { runTurn } from '../src/agent.ts'
import { settings } from '../src/cli/server/index.ts'
import { compactWith, plan } from '../src/compact.ts'
import { DEFAULT_PORT, gateway } from '../src/gateway/index.ts'
import { guard } from '../src/guard/index.ts'
import { split } from '../src/index.ts'
import { memoryStore, openSession, openStore } from '../src/session.ts'

const ROOT = join(import.meta.dirname, '..')
// biome-ignore lint/suspicious/noExplicitAny: an unknown option on purpose
const unknown = { qqqqqqqqqqqq: 1 } as any
const upstreams = { local: { url: 'http://127.0.0.1:1' } }
const session = await openSession(memoryStore(), 'options', { provider: 'openai' })

/** Guide, the first line of its table, a call with an unknown option, options that another table of the page has. */
const tables: readonly [page: string, head: string, call: () => unknown, elsewhere?: readonly string[]][] = [
  ['guard', '| option | type | default |', () => guard(unknown)],
  ['rejections', '| option | type | default |', () => guard({ recovery: unknown })],
  ['rounds-and-split', '| option | type | default |', () => split([], unknown)],
  [
    'sessions',
    '| option | type | default |',
    () => openSession(memoryStore(), 'a', { provider: 'openai', ...unknown }),
  ],
  ['sessions', '| option of `append` |', () => session.append([], unknown)],
  ['sessions', '| option of `openStore` |', () => openStore('sqlite:./never-opened.db', unknown)],
  [
    'agent',
    '| option | type | default |',
    () => runTurn(session, 'x', { model: 'm', url: 'http://127.0.0.1:1', ...unknown }),
  ],
  ['compaction', '| option | type | default |', () => plan([], { provider: 'openai', ...unknown })],
  ['compaction', '| field of `budget` |', () => plan([], { provider: 'openai', budget: unknown })],
  [
    'compaction',
    '| option of `compactWith` |',
    () => compactWith([], { provider: 'openai', summarize: () => '', ...unknown }),
    namesIn('compaction', '| option | type | default |'),
  ],
  ['gateway', '| option of `gateway` |', () => gateway({ upstreams, ...unknown })],
  ['gateway', '| field of `limits` |', () => gateway({ upstreams, limits: unknown })],
  ['contract', '| option | type | default |', () => startContract(unknown)],
  ['contract', '| field | type | default |', () => judge({ provider: 'openai', body: {}, ...unknown })],
]

it.each(tables)('docs/guide/%s.md: %s', async (page, head, call, elsewhere = []) => {
  const error = await Promise.resolve()
    .then(call)
    .catch((thrown: Error) => thrown)
  const known = / Known: (.*)\.$/.exec((error as Error).message)?.[1]?.split(', ')
  expect(known).toBeDefined()
  expect([...namesIn(page, head), ...elsewhere].sort()).toEqual([...known!].sort())
})

/** The names in the first column of the table with this head. */
function namesIn(page: string, head: string): readonly string[] {
  const lines = readFileSync(join(ROOT, `docs/guide/${page}.md`), 'utf8').split('\n')
  const from = lines.findIndex((line) => line.startsWith(head))
  expect(from, `${page}.md has a table "${head}"`).toBeGreaterThan(0)
  const rows = lines.slice(from + 2)
  const end = rows.findIndex((line) => !line.startsWith('|'))
  return rows.slice(0, end).flatMap((row) => [...row.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
}

/** Points in time are counted in milliseconds, too: their type is `timestamp`. */
it.each([
  ['ms', /Ms$/],
  ['bytes', /Bytes$/],
])('options of the type %s have it in their names', (type, suffix) => {
  const pages = readdirSync(join(ROOT, 'docs/guide')).map((name) =>
    readFileSync(join(ROOT, 'docs/guide', name), 'utf8'),
  )
  const rows = pages.flatMap((page) => page.split('\n')).filter((line) => line.split('|')[2]?.trim() === type)
  const names = rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
  const flags = Object.entries(settings).filter(([, one]) => 'value' in one && one.value === type.toUpperCase())
  const endings = [...names, ...flags.map(([flag]) => flag.replace(/-(.)/g, (_all, letter) => letter.toUpperCase()))]
  expect(endings.length).toBeGreaterThan(5)
  expect(endings.filter((name) => !suffix.test(name))).toEqual([])
})

it('the default port of the gateway is the one in docs, examples and the image', () => {
  const folders = ['docs', 'docker', 'examples', 'plugins'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/docs[/\\]site/.test(entry.parentPath))
      .map((entry) => join(entry.parentPath, entry.name)),
  )
  const texts = [...folders, join(ROOT, 'README.md')].map((path) => readFileSync(path, 'utf8')).join('\n')
  const ports = texts.matchAll(
    /(?:127\.0\.0\.1|localhost):(\d+)\/(?:openai|anthropic|gemini|suture|v1\/…)|EXPOSE (\d+)/g,
  )
  // 9000 is the port that the docs give `suture contract`.
  const found = new Set(
    [...ports].map(([, address, image]) => Number(address ?? image)).filter((port) => port !== 9000),
  )
  expect([...found]).toEqual([DEFAULT_PORT])
})

it('docs/reference/names.md lists every error code with its meaning', () => {
  const source = readFileSync(join(ROOT, 'src/core/error.ts'), 'utf8')
  const codes = [...source.matchAll(/^ {2}readonly '?([\w-]+)'?: '(.*)'$/gm)].map(
    ([, code, text]) => `| \`${code}\` | ${text} |`,
  )
  expect(codes.length).toBeGreaterThan(15)
  const page = readFileSync(join(ROOT, 'docs/reference/names.md'), 'utf8')
  expect(codes.filter((row) => !page.includes(row))).toEqual([])
})
