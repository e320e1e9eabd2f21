/**
 * The example of the guide on testing runs, and every corruption it tries is accepted after a repair.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { corruptions } from '../src/testing/corruptions/index.ts'
import { withSources } from './entry-points.ts'

const ROOT = join(import.meta.dirname, '..')
const folder = await mkdtemp(join(tmpdir(), 'testing-guide-'))
afterAll(() => rm(folder, { recursive: true }))
const guide = await readFile(join(ROOT, 'docs/guide/testing.md'), 'utf8')

it('the example', async () => {
  const code = /^```ts\n(.*?)^```$/ms.exec(guide)?.[1] ?? ''
  await writeFile(join(folder, 'example.ts'), withSources(code))
  const rejected: unknown[] = []
  let lines = 0
  const log = vi.spyOn(console, 'log').mockImplementation((id, accepted) => {
    lines++
    if (!accepted) rejected.push(id)
  })
  await import(join(folder, 'example.ts')).finally(() => log.mockRestore())
  expect(lines).toBeGreaterThan(20)
  expect(rejected).toEqual([])
})

it('the guide lists every class', () => {
  for (const { id } of corruptions) expect(guide).toContain(`\`${id}\``)
})
