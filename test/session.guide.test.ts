/**
 * The guide's examples run, and print what their comments have.
 */
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const folder = await mkdtemp(join(tmpdir(), 'session-guide-'))
afterAll(() => rm(folder, { recursive: true }))

const guide = await readFile(join(ROOT, 'docs/guide/sessions.md'), 'utf8')
const examples = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)
const entryPoint = JSON.stringify(join(ROOT, 'src/session.ts'))

await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
await Promise.all(
  examples.map((code, index) => {
    const local = code.replaceAll("'suture/session'", entryPoint).replaceAll('sqlite:./', `sqlite:${folder}/`)
    return writeFile(join(folder, `example-${index}.ts`), local)
  }),
)

async function linesOf(index: number): Promise<unknown[][]> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  await import(join(folder, `example-${index}.ts`))
  const calls = log.mock.calls
  log.mockRestore()
  return calls
}

test('an open call is answered in the view, then by its real result', async () => {
  const [[first], [open], [last]] = (await linesOf(0)) as [[unknown[]], [unknown], [unknown[]]]
  expect(first).toHaveLength(3)
  expect(open).toEqual([{ id: 'c1', name: 'weather', cause: 'lost' }])
  expect(last.at(-1)).toEqual({ role: 'tool', tool_call_id: 'c1', content: 'Sunny.' })
})

test('abort, crash, late result', async () => {
  const [[found], [history]] = (await linesOf(1)) as [[{ open: unknown }], [unknown]]
  expect(found.open).toEqual([{ id: 'b', name: 'news', cause: 'aborted-while-running' }])
  const text = JSON.stringify(history)
  expect(text).toContain('Quiet day.')
  expect(text).not.toContain('aborted')
})

test('proposals, turns, replacing', async () => {
  expect((await linesOf(2))[0]![1]).toHaveLength(2)
  expect((await linesOf(3))[0]![0]).toBe(4)
  expect(await linesOf(4)).toEqual([[3, 6]])
  expect(examples).toHaveLength(5)
})
