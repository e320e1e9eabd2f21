/** A random client: several lines of one session side by side, each with habits of its own, through several gateways. */
import type { Store } from '../../src/session.ts'
import { Random } from '../../src/testing/corruptions/random.ts'
import { type Message, says, user } from './recorded-clients.ts'
import { recorder } from './recorder.ts'

const system = (content: string) => ({ role: 'system', content })
const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }]

/** How a line writes what it has. */
interface Line {
  readonly history: Message[]
  readonly name: string
  readonly habits: ReadonlySet<string>
  /** The first message that it still sends. */
  start: number
}

const HABITS = ['parts', 'line break', 'clock', 'environment', 'reminder', 'window', 'nulls'] as const

/** Problems of one session; none if everything can be read back. */
export async function randomClient(store: Store, seed: number, requests: number, gateways: number) {
  const random = new Random(seed)
  const client = await recorder(store, `random-${seed}`, gateways)
  const habits = new Set(HABITS.filter(() => random.chance(25)))
  const lines: Line[] = [{ history: [], name: 'main', habits, start: 0 }]
  const most = 2 + random.below(3)
  for (let n = 0; n < requests; n++) {
    if (random.chance(8)) client.restart()
    if (lines.length < most && random.chance(12)) lines.push(another(random, lines[0]!, lines.length))
    await step(random, client.ask, random.pick(lines), n)
  }
  const found = await client.readBack()
  await client.close()
  return found
}

/** A line that shares the beginning of the first one, or nothing. */
function another(random: Random, main: Line, n: number): Line {
  const isFork = main.history.length > 2 && random.chance(50)
  const shared = isFork ? main.history.slice(0, 2 + 2 * random.below(main.history.length / 2 - 1)) : []
  const habits = isFork ? main.habits : new Set(HABITS.filter(() => random.chance(15)))
  return {
    history: [...shared],
    name: isFork ? `fork ${n}` : `helper ${n}`,
    habits,
    start: Math.min(main.start, shared.length),
  }
}

type Ask = Awaited<ReturnType<typeof recorder>>['ask']

async function step(random: Random, ask: Ask, line: Line, n: number): Promise<void> {
  const { history } = line
  const more = line.name.startsWith('helper') ? {} : { tools }
  const kind =
    history.length < 4
      ? 'goes on'
      : random.pick(['goes on', 'goes on', 'goes on', 'edits', 'regenerates', 'asks aside', 'twice'])
  if (kind === 'edits') history.splice(-2, 2, user(`${line.name}, edited at ${n}`))
  else if (kind === 'regenerates') history.pop()
  else history.push(user(`${line.name}, question ${n}. ${random.chance(20) ? 'Many words. '.repeat(60) : ''}`))
  if (kind === 'asks aside') await ask([...sent(line, n), user(`Suggest something, ${n}.`)].toSpliced(-2, 1), more)
  if (kind === 'twice') await ask(sent(line, n), more)
  history.push(says(await ask(sent(line, n), more)))
  if (line.habits.has('window') && history.length - line.start > 12) line.start += 2
}

function sent({ history, habits, start, name }: Line, n: number): Message[] {
  const list = history.slice(Math.min(start, history.length - 1)).map((message) => written(message, habits, n))
  const last = list.at(-1)!
  if (habits.has('environment')) list[list.length - 1] = user(`${last.content}\n\nOpen files: a.ts, b${n}.ts`)
  if (habits.has('reminder')) list.push(user(`<system-reminder>It is turn ${n} of ${name}.</system-reminder>`))
  return habits.has('clock')
    ? [system(`You are ${name}. Be brief and help with everything. It is 12:${n}.`), ...list]
    : list
}

function written(message: Message, habits: ReadonlySet<string>, n: number): Message {
  if (message.role !== 'assistant') return habits.has('nulls') && n % 2 ? { ...message, name: null } : message
  if (habits.has('parts')) return { ...message, content: [{ type: 'text', text: message.content }] }
  return habits.has('line break') ? { ...message, content: `${message.content}\n` } : message
}
