/**
 * Appends turns to a session and compacts it, over and over, in a process of its own: for tests that kill it at any
 * moment. Arguments: the store's address, the session's id, the number of the first turn. Each line out is what was
 * acknowledged.
 */
import { setTimeout } from 'node:timers/promises'
import { compactSession } from '../src/compact.ts'
import { openSession, openStore } from '../src/session.ts'
import { turn } from './compact-turn.ts'

const [address = '', id = '', first = '0'] = process.argv.slice(2)
const session = await openSession(await openStore(address), id, { provider: 'openai', model: 'gpt-5' })

for (let n = Number(first); ; n++) {
  await session.append(turn(n))
  process.stdout.write(`appended ${n}\n`)
  if (n % 2 === 0) continue
  const summarize = async () => {
    await setTimeout(n % 5)
    return `Everything up to question ${n} was answered.`
  }
  const done = await compactSession(session, {
    budget: { limit: 400, goal: 300 },
    strategies: {
      ladder: n % 3 === 0 ? ['clear', 'summary'] : ['summary'],
      clear: { keepTokens: 20, minReclaimTokens: 1 },
    },
    pins: ['Never push to main.'],
    force: true,
    summarize,
  })
  if (done.changesAnything) process.stdout.write(`compacted ${done.position}\n`)
  if (n % 7 === 0 && done.changesAnything) {
    await session.undo()
    process.stdout.write(`undone ${done.position}\n`)
  }
}
