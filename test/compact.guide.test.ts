/**
 * The examples of the guide on compaction run, and print what their comments have.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, expect, it, vi } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const folder = await mkdtemp(join(tmpdir(), 'compact-guide-'))
afterAll(() => rm(folder, { recursive: true }))

const guide = await readFile(join(ROOT, 'docs/guide/compaction.md'), 'utf8')
const examples = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)

it.each(examples.map((code, index) => [index, code] as const))('example %i', async (index, code) => {
  const file = join(folder, `example-${index}.ts`)
  const entryPoints = { "'suture/compact'": 'src/compact.ts', "'suture/session'": 'src/session.ts' }
  const local = Object.entries(entryPoints).reduce(
    (text, [entryPoint, source]) => text.replaceAll(entryPoint, JSON.stringify(join(ROOT, source))),
    code,
  )
  await writeFile(file, local)
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((...values) => {
    lines.push(values.map((one) => inspect(one, { depth: 5 })).join(' '))
  })
  await import(file).finally(() => log.mockRestore())
  const comments = [...code.matchAll(/^ *console\.log\(.*\) \/\/ (.*?)(?::.*)?$/gm)].map((found) => found[1])
  expect(comments.length).toBeGreaterThan(0)
  expect(lines).toEqual(comments)
})
