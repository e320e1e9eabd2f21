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
const ONLY = process.env['ONLY']
const begun = begunWith(150)
const folder = mkdtempSync(join(tmpdir(), 'suture-clients-'))
let first = 0
const QUICK = { ids: [], branches: [], problems: [], fresh: 1 }

async function measured(behavior: Behavior) {
  const file = join(folder, `${behavior.name.replace(/\W/g, '-')}.db`)
  const store = await openStore(`sqlite:${file}`)
  const client = await recorder(store)
  const before = process.cpuUsage()
  await behavior.run(client, begun, TURNS)
  const { user, system } = process.cpuUsage(before)
  const seconds = (user + system) / 1e6 - client.clientSeconds()
  const found = process.env['QUICK'] ? QUICK : await client.readBack()
  await client.close()
  await store.close()
  return { seconds, bytes: statSync(file).size, requests: client.requests(), ...found }
}

await measured({ ...table[0]!, name: 'warm' })
if (ONLY) first = (await measured(table[0]!)).seconds / TURNS
for (const behavior of [...table, ...clients]) {
  if (ONLY && !behavior.name.includes(ONLY)) continue
  const { seconds, bytes, requests, ids, branches, problems, fresh } = await measured(behavior)
  first ||= seconds / requests
  const ratio = seconds / requests / first
  console.log(
    `${behavior.name.slice(0, 60).padEnd(62)} ${ids.length} id, ${branches.length} branches (${behavior.branches ?? 0}), ${(bytes / 1e6).toFixed(2)} MB stored, ${(fresh / 1e6).toFixed(2)} MB new (${(bytes / fresh).toFixed(2)}), ${seconds.toFixed(2)} s, ${ratio.toFixed(2)} × per request${problems.length > 0 ? `, ${problems.length} PROBLEMS: ${problems[0]}` : ''}`,
  )
}
rmSync(folder, { recursive: true, force: true })
