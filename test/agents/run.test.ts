/**
 * The runner of real agents, with a tiny client as the agent: no install and no namespace is needed, only the contract.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { runOnce } from '../../scripts/agents/run.ts'
import { scenarios } from '../../scripts/agents/scenarios.ts'
import type { Agent, FaultId } from '../../scripts/agents/types.ts'

const cache = mkdtempSync(join(tmpdir(), 'suture-agents-'))
afterAll(() => rmSync(cache, { recursive: true, force: true }))

function client(attempts: number): Agent {
  const file = join(import.meta.dirname, 'client.mjs')
  return {
    id: `client-${attempts}`,
    title: 'client',
    packages: [],
    wire: 'chat',
    run: (prompt, { base }) => ({ args: [process.execPath, file, prompt, base, String(attempts)] }),
    shell: (command) => ({ name: 'shell', arguments: { command } }),
  }
}

const run = (agent: Agent, fault: FaultId) =>
  runOnce(agent, scenarios.find(({ id }) => id === fault)!, 'direct', {
    root: process.cwd(),
    cache,
    version: '0',
    timeoutMs: 120_000,
    bare: true,
  })

it('a client without faults is answered in four requests, byte for byte', async () => {
  expect(await run(client(1), 'plain')).toMatchObject({ outcome: 'answered', requests: 4, unchanged: 4, facts: [] })
})

it.each(['cut-text', 'cut-arguments', 'overloaded'] as const)(
  '%s: a client that retries is answered, one that does not fails',
  async (fault) => {
    expect(await run(client(2), fault)).toMatchObject({ outcome: 'retried', requests: 5, struck: true, facts: [] })
    expect(await run(client(1), fault)).toMatchObject({ outcome: 'failed', exit: '1', struck: true })
  },
)

it('overflow: the large result is rejected as often as it is sent', async () => {
  expect(await run(client(3), 'overflow')).toMatchObject({ outcome: 'failed', requests: 6, struck: true })
})
