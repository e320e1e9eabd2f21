/**
 * A process that runs turns until it is killed, and prints each event. Started by agent.kill.test.ts.
 */
import { contractFetch } from '../contract/index.ts'
import { runTurn } from '../src/agent/index.ts'
import { openStore } from '../src/session.ts'
import { open, optionsOf, setups, tool } from './agent-setup.ts'

const [, , address, dialect] = process.argv
const setup = setups.find((one) => one.dialect === dialect)!
const session = await open(setup, await openStore(address!))
const tools = [
  tool('quick', () => 'Quick is done.'),
  tool('slow', (_input, { progress }) => {
    progress('it runs')
    return new Promise(() => setTimeout(() => {}, 60_000))
  }),
]
const calls = ['quick', 'slow'].map((name) => ({ name, arguments: {} }))
const script = [
  { text: 'One moment.', chunkBytes: 4, calls: calls.slice(0, 1) },
  { text: 'And now.', chunkBytes: 4, calls },
]
const turn = runTurn(session, 'Go', optionsOf(setup, contractFetch({ script }), { tools }))
process.stdout.write('began\n')
for await (const event of turn) process.stdout.write(`${event.type}\n`)
