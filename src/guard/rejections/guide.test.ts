/** The guide's examples run; its table names every kind and every recovery. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const door = join(ROOT, 'src/guard/index.ts')
const guide = await readFile(join(ROOT, 'docs/guide/rejections.md'), 'utf8')
const examples = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)
const folder = await mkdtemp(join(tmpdir(), 'rejections-guide-'))
afterAll(() => rm(folder, { recursive: true }))

describe('the guide to rejections', () => {
  examples.forEach((code, i) => {
    const needsDoor = /import \{[^}]*\bguard\b/.test(code)
    it(`example ${i} runs`, async () => {
      const file = join(folder, `example-${i}.ts`)
      const from = needsDoor ? door : join(import.meta.dirname, 'index.ts')
      await writeFile(file, code.replaceAll("'suture/fetch'", JSON.stringify(from)))
      const log = vi.spyOn(console, 'log').mockImplementation(() => {})
      await import(file)
      const lines = log.mock.calls.map((call) => call.join(' '))
      log.mockRestore()
      if (code.includes('explain(')) expect(lines[0]).toBe('tool-result-missing call_abc')
    })
  })

  it('names every kind and every recovery', async () => {
    const types = await readFile(join(import.meta.dirname, 'types.ts'), 'utf8')
    const recoveries = await readFile(join(ROOT, 'src/guard/recoveries/types.ts'), 'utf8')
    const names = [types, recoveries].flatMap((text) =>
      [...text.matchAll(/^ {2}(?:\| )?'([a-z-]+)',?$/gm)].map(([, name]) => name!),
    )
    expect(names.length).toBeGreaterThan(18)
    for (const name of names) expect(guide).toContain(`\`${name}`)
  })
})
