/**
 * What recording costs for clients that do not send back what they got: session ids, bytes stored, processor time against
 * a client that does, and whether the log has the last request and its reply.
 * Usage: npm run bench:recorded-clients
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../src/session.ts'
import { type Behavior, begunWith, clients, table } from '../test/gateway/recorded-clients.ts'
import { recorder } from '../test/gateway/recorder.ts'

const TURNS = Number(process.env['TURNS'] ?? 40)
/** The least of so many runs counts: a run is short. */
const RUNS = Number(process.env['RUNS'] ?? 3)
const ONLY = process.env['ONLY'] ?? ''
const begun = begunWith(150)
const folder = mkdtempSync(join(tmpdir(), 'suture-clients-'))
let files = 0

async function run(behavior: Behavior) {
  const file = join(folder, `${files++}.db`)
  const store = await openStore(`sqlite:${file}`)
  const client = await recorder(store)
  const before = process.cpuUsage()
  await behavior.run(client, begun, TURNS)
  const { user, system } = process.cpuUsage(before)
  const seconds = (user + system) / 1e6 - client.clientSeconds()
  const finish = async () => {
    const found = await client.readBack()
    await client.close()
    await store.close()
    return { ...found, requests: client.requests(), bytes: statSync(file).size }
  }
  return { seconds, finish }
}

async function measured(behavior: Behavior) {
  const runs = []
  for (let i = 0; i < RUNS; i++) runs.push(await run(behavior))
  const seconds = Math.min(...runs.map((one) => one.seconds))
  const found = await runs[0]!.finish()
  for (const { finish } of runs.slice(1)) await finish()
  return { seconds, ...found }
}

const plain = await measured(table[0]!)
for (const behavior of [...table, ...clients].filter(({ name }) => name.includes(ONLY))) {
  const { seconds, bytes, requests, ids, branches, problems } = await measured(behavior)
  const columns = [
    behavior.name.padEnd(72),
    `${ids.length} id, ${branches.length} branches (${behavior.branches ?? 0})`,
    `${(bytes / 1e6).toFixed(2)} MB, ${(bytes / plain.bytes).toFixed(2)} ×`,
    `${seconds.toFixed(2)} s, ${(seconds / plain.seconds).toFixed(2)} × (${requests} requests)`,
    problems.length === 0 ? 'all read back' : `${problems.length} problems: ${problems[0]}`,
  ]
  console.log(columns.join('  '))
}
rmSync(folder, { recursive: true, force: true })
