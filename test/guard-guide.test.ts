/**
 * The guide of the guard runs.
 */
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import type { GuardEvent } from '../src/guard/index.ts'
import { withSources } from './entry-points.ts'

const ROOT = join(import.meta.dirname, '..')
const folder = await mkdtemp(join(tmpdir(), 'guard-guide-'))
afterAll(() => rm(folder, { recursive: true }))

const guide = await readFile(join(ROOT, 'docs/guide/guard.md'), 'utf8')
const examples = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)
await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
await Promise.all(
  examples.map((code, index) => {
    return writeFile(join(folder, `example-${index}.ts`), withSources(code))
  }),
)

/** What each example prints, as in its comments. */
const SAYS = [
  '',
  '200 tool-result-missing\n[{"request":1',
  '400',
  'false cut [{"role":"assistant","content":"An answer that b"}]\nterminated',
  '200 restored 1',
  'gpt-4.1',
  'AI_MissingToolResultsError\nYes.',
]

it.each(examples.map((_code, index) => [index]))('example %i', async (index) => {
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((...words) => {
    lines.push(words.map((word) => (typeof word === 'object' ? JSON.stringify(word) : String(word))).join(' '))
  })
  await import(join(folder, `example-${index}.ts`)).finally(() => log.mockRestore())
  expect(examples.length).toBe(SAYS.length)
  expect(lines.join('\n')).toContain(SAYS[index])
})

it('names every event', () => {
  const types = [
    'repaired',
    'found',
    'rejected',
    'recovered',
    'shrunk',
    'restored',
    'incomplete',
    'passed',
    'failed',
  ] satisfies GuardEvent['type'][]
  for (const type of types) expect(guide).toContain(`| \`${type}\` |`)
})
