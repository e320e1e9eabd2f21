/**
 * A repair that is killed while an agent writes loses no record. An agent that opened the file before it was replaced
 * writes to the old one: the next repair carries over what is there. `SUTURE_KILLS` sets the number of kills.
 */
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { age, type Cli, cli, tornSession } from '../cli/harness.ts'
import { runsOf } from '../long-runs.ts'
import { AppendingAgent, type Way } from './appending-agent.ts'

const ID = 'e1000000-2222-4333-8444-555555555555'
const KILLS = runsOf(3, 200, 'SUTURE_KILLS')
let suture: Cli
let agent: AppendingAgent

beforeAll(async () => {
  suture = await cli()
  agent = new AppendingAgent()
})
afterAll(() => {
  agent.end()
  suture.close()
})

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const records = (count: number) => Array.from({ length: count }, (_, i) => `appended ${i + 1}`).join()

it.each<Way>(['held open', 'each record'])('%s: no record is lost', { timeout: 3_600_000 }, async (way) => {
  const torn = Buffer.from(tornSession(ID))
  const path = suture.put(`.claude/projects/-k/${ID}.jsonl`, torn)
  const outcomes = { 'before the rename': 0, 'after it': 0 }
  for (let i = 0; i < KILLS; i++) {
    writeFileSync(path, torn)
    age(path)
    const { ino } = statSync(path)
    await agent.start(way, path)
    const child = suture.start(['repair', path, '--write', '--force'])
    const closed = once(child, 'close')
    // Two of three are killed between the rename and the end, which is up to two seconds.
    const ownTime = i % 3 === 0 ? performance.now() + Math.random() * 1500 : Number.POSITIVE_INFINITY
    while (statSync(path).ino === ino && child.exitCode === null && performance.now() < ownTime) await pause(1)
    if (i % 3 !== 0) await pause(Math.random() * (way === 'held open' ? 1000 : 20))
    child.kill('SIGKILL')
    await closed
    outcomes[statSync(path).ino === ino ? 'before the rename' : 'after it']++
    await pause(20)
    const count = await agent.stop()
    for (let tries = 0; tries < 3; tries++)
      if ((await suture.run(['repair', path, '--write', '--force'])).code !== 3) break
    const found = [...readFileSync(path, 'utf8').matchAll(/"summary":"(appended \d+)"/g)].map(([, text]) => text)
    expect(found.join() === records(count), 'a record is missing, or not in its place').toBe(true)
    expect(readdirSync(dirname(path)).filter((name) => name.startsWith('.suture-'))).toEqual([])
  }
  console.info(`${way}: 0 lost, killed ${JSON.stringify(outcomes)}`)
})
