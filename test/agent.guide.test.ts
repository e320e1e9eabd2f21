/**
 * The guide's examples run, and print what their comments have.
 */
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const folder = await mkdtemp(join(tmpdir(), 'agent-guide-'))
afterAll(() => rm(folder, { recursive: true }))

const ENTRY_POINTS = {
  agent: 'src/agent.ts',
  session: 'src/session.ts',
  contract: 'contract/index.ts',
  compact: 'src/compact.ts',
}
const guide = await readFile(join(ROOT, 'docs/guide/agent.md'), 'utf8')
const examples = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)

await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))

test.each([
  [0, [['weather', 'Sunny in Oslo.'], ['It is sunny.'], ['done']]],
  [
    1,
    [
      ['waiting', ['pay']],
      ['done', 'It is paid.'],
    ],
  ],
  [2, [['compacted', false], [true]]],
  [3, [['timed-out', true], ['done']]],
] as const)('example %i', async (index, says) => {
  let code = examples[index]!
  for (const [entryPoint, file] of Object.entries(ENTRY_POINTS))
    code = code.replaceAll(`'suture/${entryPoint}'`, JSON.stringify(join(ROOT, file)))
  const file = join(folder, `example-${index}.ts`)
  await writeFile(file, code)
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  await import(file)
  const { calls } = log.mock
  expect(calls).toEqual(says)
  log.mockRestore()
  expect(examples).toHaveLength(4)
})
