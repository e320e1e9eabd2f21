import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const folder = await mkdtemp(join(tmpdir(), 'replies-guide-'))
afterAll(() => rm(folder, { recursive: true }))

it('the example of the guide runs and prints what its comment has', async () => {
  const guide = await readFile(join(ROOT, 'docs/guide/replies.md'), 'utf8')
  const [, code = ''] = /^```ts\n(.*?)^```$/ms.exec(guide) ?? []
  const file = join(folder, 'example.ts')
  const local = code
    .replace("'suture/contract'", JSON.stringify(join(ROOT, 'contract/index.ts')))
    .replace("'suture/dialects/replies'", JSON.stringify(join(ROOT, 'src/dialects/replies/index.ts')))
  await writeFile(file, local)
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  await import(file)
  const call = { id: 'call_1', name: 'weather', arguments: { city: 'Paris' }, text: '{"city":"Paris"}' }
  const message = expect.objectContaining({ role: 'assistant', content: 'Let me see.' })
  expect(log.mock.calls).toEqual([[true, 'tool_calls', [message], [call]]])
  log.mockRestore()
})
