import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const folder = await mkdtemp(join(tmpdir(), 'contract-guide-'))
afterAll(() => rm(folder, { recursive: true }))

const guide = await readFile(join(ROOT, 'docs/guide/contract.md'), 'utf8')
const examples = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)

// Next to a link to the packages of this repository, so that an example resolves its imports.
await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
await Promise.all(
  examples.map((code, index) => {
    const local = code.replaceAll("'suture/contract'", JSON.stringify(join(ROOT, 'contract/index.ts')))
    return writeFile(join(folder, `example-${index}.ts`), local)
  }),
)

test.each(examples.map((code, index) => [index, code.split('\n').at(-2)]))('example %i runs: %s', async (index) => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  await import(join(folder, `example-${index}.ts`))
  expect(examples.length).toBeGreaterThan(5)
  log.mockRestore()
})

test('the guide names every fault', async () => {
  const faults = await readFile(join(import.meta.dirname, 'faults.ts'), 'utf8')
  const names = new Set([...faults.matchAll(/^ {2}\| ['`]([a-z-]+)/gm)].map(([, name = '']) => name))
  expect(names.size).toBeGreaterThan(15)
  for (const name of names) expect(guide).toContain(`\`${name}`)
})
