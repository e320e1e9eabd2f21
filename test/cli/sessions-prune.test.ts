/** `suture sessions prune`: sessions that were not used for some days are listed, and deleted on request only. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSession, openStore } from '../../src/session.ts'
import { type Command, command } from '../gateway/cli-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'suture-prune-'))
const address = `sqlite:${join(folder, 'suture.db')}`
const DAY = 86_400_000
let suture: Command
beforeAll(async () => {
  suture = await command()
  const store = await openStore(address)
  const at = (days: number) => ({ clock: () => new Date(Date.now() - days * DAY).toISOString() })
  const write = async (id: string, options: object) => {
    const session = await openSession(store, id, { provider: 'openai', ...options })
    await session.append([{ role: 'user', content: 'Hi' }])
    return session
  }
  await write('old', at(100))
  await write('new', at(2))
  await write('without-times', {})
  await write('used-again', at(100))
  await write('used-again', at(1))
  await store.claim((await write('held', at(100))).id, 'someone', { takeOver: false })
  await store.close()
})
afterAll(() => {
  suture.close()
  rmSync(folder, { recursive: true, force: true })
})

const run = (...args: string[]) => suture.run(['sessions', ...args, '--store', address])

it('lists them, and deletes nothing without --write', async () => {
  const { code, output } = await run('prune', '--idle-days', '90')
  expect(code).toBe(0)
  expect(output).toBe('old  would be deleted: add --write\n1 session without a record for 90 days.\n')
  expect((await run('list')).output).toContain('old')
})

it('deletes them with --write, and no session that is newer, held, or without times', async () => {
  expect((await run('prune', '--idle-days', '90', '--write')).output).toContain('old  deleted')
  const { output } = await run('list')
  expect(output).not.toMatch(/^old /m)
  for (const id of ['new', 'without-times', 'used-again', 'held']) expect(output).toContain(id)
})

it('needs the number of days', async () => {
  const { code, output } = await run('prune', '--write')
  expect(code).toBe(2)
  expect(output).toContain('--idle-days')
})
