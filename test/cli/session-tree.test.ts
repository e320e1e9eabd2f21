/** A stored session as a tree: turns, earlier versions of messages, and branches where they leave. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSession, openStore } from '../../src/session.ts'
import { type Cli, cli } from './harness.ts'

const user = (content: string) => ({ role: 'user', content })
const says = (content: string) => ({ role: 'assistant', content })
let suture: Cli
beforeAll(async () => {
  suture = await cli()
  const store = await openStore(`sqlite:${suture.home}/suture.db`)
  const session = await openSession(store, 'my-chat', { provider: 'openai' })
  const { positions } = await session.append([user('one'), says('1'), user('It is noon.'), user('two'), says('2')])
  await session.append([user('three')], { proposed: true, operationId: 'x' })
  const replaces = [{ from: positions[1]!, to: positions[2]!, by: 0 }]
  await session.append([says('3')], { accept: 'x', replaces })
  const branch = await session.branch('my-chat~2')
  await branch.append([user('four'), says('4')])
  await session.append([user('FOUR')])
  await session.branch('my-chat~3', { empty: true })
  await session.fork(1, 'my-fork')
  await store.close()
})
afterAll(() => suture.close())

it('shows the line with its branches and what others took the place of', async () => {
  const { out, code } = await suture.run(['show', 'my-chat'], { cwd: suture.home })
  expect([code, out]).toMatchInlineSnapshot(`
    [
      0,
      "my-chat: 9 records, 6 messages, 4 turns, 2 earlier, 3 branches, 0 open calls
      ├─ my-chat~3: 1 record, 0 messages, 0 turns, 0 open calls
      turn 1  1 message
      ├─ my-fork: 10 records, 1 message, 1 turn, 2 earlier, 0 open calls
      │    turn 1  1 message
      turn 2  2 messages
        until record 7: 1
        until record 7: It is noon.
      turn 3  2 messages
      ├─ my-chat~2: 11 records, 7 messages, 4 turns, 2 earlier, 0 open calls
      │    turn 1  1 message
      │    turn 2  2 messages
      │      until record 7: 1
      │      until record 7: It is noon.
      │    turn 3  2 messages
      │    turn 4  2 messages
      turn 4  1 message
    ",
    ]
  `)
  expect((await suture.run(['sessions', 'show', 'my-chat'], { cwd: suture.home })).out).toBe(out)
  const json = JSON.parse((await suture.run(['sessions', 'show', 'my-chat', '--json'], { cwd: suture.home })).out)
  expect(json.branches).toEqual(['my-chat~2', 'my-chat~3', 'my-fork'])
})

it('lists conversations: a fork under a name of its own, and no branches', async () => {
  const { out } = await suture.run(['sessions', 'list'], { cwd: suture.home })
  expect(out.split('\n').map((line) => line.split(' ')[0])).toEqual(['my-chat', 'my-fork', ''])
  const checked = await suture.run(['sessions', 'verify'], { cwd: suture.home })
  expect(checked.code).toBe(0)
  expect(checked.out).toContain('my-chat~2')
})
