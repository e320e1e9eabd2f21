/**
 * The TypeScript examples of the README and of the guides without a test of their own run, and print what their
 * comments have.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { withSources } from './entry-points.ts'

const ROOT = join(import.meta.dirname, '..')
const PAGES = ['README.md', 'docs/guide/rounds-and-split.md', 'docs/guide/replies.md', 'docs/guide/troubleshooting.md']
const folder = await mkdtemp(join(tmpdir(), 'docs-examples-'))
afterAll(() => rm(folder, { recursive: true }))

/**
 * What an example may use without declaring it: a broken history, and the clients whose packages are installed here.
 */
const PRELUDE: Readonly<Record<string, string>> = {
  messages: `const messages = [{ role: 'user', content: 'weather?' }, { role: 'assistant', content: null, tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } }] }, { role: 'user', content: 'well?' }]`,
  Anthropic: `import Anthropic from '@anthropic-ai/sdk'`,
}

for (const page of PAGES) {
  const text = await readFile(join(ROOT, page), 'utf8')
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)
  describe(page, () => {
    it.each(blocks.map((code, i) => [i + 1, code] as const))('example %i runs', async (i, code) => {
      const file = join(folder, `${page.replaceAll('/', '-')}-${i}.ts`)
      await writeFile(file, withSources(preludeOf(code) + code))
      const log = vi.spyOn(console, 'log').mockImplementation(() => {})
      await import(file)
      const lines = log.mock.calls.map((call) => call.join(' '))
      log.mockRestore()
      const expected = [...code.matchAll(/^\/\/ prints: (.*)$/gm)].map(([, line]) => line)
      if (expected.length > 0) expect(lines).toEqual(expected)
    })
  })
}

it('docs import only entry points of the package', async () => {
  const names = new Set(Object.keys(packageJson.exports).map((entryPoint) => `suture${entryPoint.slice(1)}`))
  const files = await readdir(join(ROOT, 'docs'), { recursive: true })
  const pages = [
    ...files.filter((file) => file.endsWith('.md') && !file.startsWith('site')).map((file) => join('docs', file)),
    'README.md',
    'llms.txt',
  ]
  const imports = await Promise.all(
    pages.map(async (page) => {
      const text = await readFile(join(ROOT, page), 'utf8')
      return [...text.matchAll(/from '(suture(?:\/[^']*)?)'/g)].map(([, name = '']) => `${page}: ${name}`)
    }),
  )
  expect(imports.flat().length).toBeGreaterThan(20)
  expect(imports.flat().filter((one) => !names.has(one.slice(one.indexOf(': ') + 2)))).toEqual([])
})

function preludeOf(code: string): string {
  return Object.entries(PRELUDE)
    .filter(([name]) => new RegExp(`\\b${name}\\b`).test(code) && !new RegExp(`(const|import) ${name}\\b`).test(code))
    .map(([name, text]) => (name === 'Anthropic' ? fromHere(text) : text))
    .join('\n')
    .concat('\n')
}

function fromHere(text: string): string {
  return text.replace(/'([^']+)'/, (_, name) => JSON.stringify(import.meta.resolve(name)))
}
