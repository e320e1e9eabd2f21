/**
 * The MCP server, with the official client: the sessions of one project, plans, and a repair that needs its
 * fingerprint.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Context } from '../../src/cli/command.ts'
import { callTool } from '../../src/cli/server/mcp-call.ts'
import { cli } from './harness.ts'

const home = realpathSync(mkdtempSync(join(tmpdir(), 'suture-mcp-')))
afterAll(() => rmSync(home, { recursive: true }))

const SECRET = 'the user wrote this'
const project = join(home, 'project')
const sessions = join(home, '.claude', 'projects', 'p')

function session(id: string, cwd: string): string {
  const bodies: [string, unknown][] = [
    ['user', SECRET],
    ['assistant', [{ type: 'text', text: 'ok' }]],
    ['user', [{ type: 'tool_result', tool_use_id: 'toolu_gone', content: SECRET }]],
    ['assistant', [{ type: 'text', text: 'done' }]],
  ]
  const lines = bodies.map(([type, content], i) => {
    const more = type === 'assistant' ? { id: `msg_${i}`, type: 'message', model: 'claude-sonnet-4-5' } : {}
    const common = { isSidechain: false, userType: 'external', cwd, sessionId: id, version: '2.1.0', type }
    const message = { ...more, role: type, content }
    const timestamp = new Date(1_700_000_000_000 + i * 1000).toISOString()
    return JSON.stringify({
      parentUuid: i ? `${id}-${i - 1}` : null,
      ...common,
      message,
      uuid: `${id}-${i}`,
      timestamp,
    })
  })
  const path = join(sessions, `${id}.jsonl`)
  writeFileSync(path, `${lines.join('\n')}\n`)
  utimesSync(path, 1_700_000_000, 1_700_000_000)
  return path
}

const [MINE, OTHER] = ['aaaaaaaa-0000-4000-8000-000000000001', 'bbbbbbbb-0000-4000-8000-000000000002']
let [mine, other] = ['', '']
beforeAll(() => {
  mkdirSync(sessions, { recursive: true })
  mkdirSync(project)
  mine = session(MINE, project)
  other = session(OTHER, join(home, 'elsewhere'))
})

const context = {
  host: { home, cwd: project, env: { HOME: home, XDG_STATE_HOME: join(home, 'state') }, platform: 'linux' },
  version: '0.0.0',
  entry: new URL('../../src/cli/main.ts', import.meta.url).href,
} as unknown as Context
const call = (name: string, given: object, all = false) => callTool(name, { ...given }, all, context)

it('plans without writing, and repairs only by the fingerprint of a plan', async () => {
  const before = readFileSync(mine, 'utf8')
  const plan = await call('plan_repair', { session: MINE })
  expect(plan.isError).toBe(false)
  expect(plan.text).not.toContain(SECRET)
  expect(readFileSync(mine, 'utf8')).toBe(before)
  const fingerprint = /"(?:fingerprint|plan|id)"\s*:\s*"([0-9a-f]{8,})"/.exec(plan.text)?.[1]
  expect(fingerprint).toBeDefined()

  await expect(call('apply_repair', { session: MINE })).rejects.toThrow(/"plan"/)
  await expect(call('apply_repair', { session: MINE, plan: '0'.repeat(12) })).rejects.toThrow(/changed/)
  expect(readFileSync(mine, 'utf8')).toBe(before)

  expect((await call('apply_repair', { session: MINE, plan: fingerprint })).isError).toBe(false)
  expect(readFileSync(mine, 'utf8')).not.toBe(before)
})

it('sees the sessions of its project only, or all if it is asked to', async () => {
  await expect(call('show', { session: OTHER })).rejects.toThrow(/--all-projects/)
  await expect(call('show', { session: other })).rejects.toThrow(/--all-projects/)
  const shown = await call('show', { session: OTHER }, true)
  expect(shown.text).toContain('claude')
  expect(shown.text).not.toContain(SECRET)
})

it('a session belongs to the project that its own field names, not to one that its text names', async () => {
  const id = 'cccccccc-0000-4000-8000-000000000003'
  const path = session(id, join(home, 'elsewhere'))
  const lines = readFileSync(path, 'utf8').replaceAll(SECRET, JSON.stringify(`{"cwd":"${project}"}`).slice(1, -1))
  const nested = lines.replace(
    '"content":[{"type":"text","text":"ok"}]',
    `"content":[{"type":"tool_use","id":"t","name":"n","input":{"cwd":"${project}"}}]`,
  )
  expect(nested).toContain(`"input":{"cwd":"${project}"}`)
  writeFileSync(path, nested)
  try {
    await expect(call('show', { session: id })).rejects.toThrow(/--all-projects/)
    await expect(call('plan_repair', { session: path })).rejects.toThrow(/--all-projects/)
    expect((await call('doctor', {})).text).not.toContain(id)
  } finally {
    rmSync(path)
  }
})

it('explains', async () => {
  expect((await call('explain', { text: 'tool-result-missing' })).text).toContain('"rule": "tool-result-missing"')
  await expect(call('explain', {})).rejects.toThrow(/"text"/)
  await expect(call('format_disk', {})).rejects.toThrow(/format_disk/)
})

/** A client of the official SDK, connected to the server over standard input and output. */
async function connected(work: (client: Client) => Promise<void>, ...flags: string[]): Promise<void> {
  const built = await cli()
  const env = { PATH: process.env['PATH'] ?? '', HOME: home }
  const args = [built.file, 'mcp', ...flags]
  const client = new Client({ name: 'test', version: '1' })
  try {
    await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: project, env }))
    await work(client)
  } finally {
    await client.close()
    built.close()
  }
}

async function textOf(client: Client, name: string, given: Record<string, unknown>) {
  const { content, isError } = await client.callTool({ name, arguments: given })
  return { text: JSON.stringify(content), isError: isError === true }
}

it(
  'speaks the protocol',
  () =>
    connected(async (client) => {
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toEqual(['doctor', 'explain', 'show', 'plan_repair', 'apply_repair'])
      const doctor = await textOf(client, 'doctor', {})
      expect(doctor.text).toContain(MINE)
      expect(doctor.text).not.toContain(OTHER)
      expect(doctor.text).not.toContain(SECRET)
      expect((await textOf(client, 'show', { session: OTHER })).isError).toBe(true)
      expect((await textOf(client, 'explain', { text: 'tool-result-orphan' })).text).toContain('tool-result-orphan')
    }),
  60_000,
)

it(
  'answers a message over the limit with an error, and goes on',
  () =>
    connected(async (client) => {
      await expect(client.callTool({ name: 'explain', arguments: { text: 'x'.repeat(11e6) } })).rejects.toThrow(
        /larger than/,
      )
      expect((await textOf(client, 'explain', { text: 'tool-result-orphan' })).text).toContain('tool-result-orphan')
    }),
  60_000,
)

it(
  'with --all-projects plans and repairs a session of another project over the protocol',
  () =>
    connected(async (client) => {
      const before = readFileSync(other, 'utf8')
      expect((await textOf(client, 'doctor', {})).text).toContain(OTHER)
      const plan = await textOf(client, 'plan_repair', { session: OTHER })
      const [, fingerprint] = /\\"(?:fingerprint|plan|id)\\"\s*:\s*\\"([0-9a-f]{8,})\\"/.exec(plan.text) ?? []
      expect(fingerprint).toBeDefined()
      expect(await textOf(client, 'apply_repair', { session: OTHER })).toMatchObject({ isError: true })
      expect(await textOf(client, 'apply_repair', { session: OTHER, plan: 'ffffffffffff' })).toMatchObject({
        isError: true,
      })
      expect(readFileSync(other, 'utf8')).toBe(before)
      expect(await textOf(client, 'apply_repair', { session: OTHER, plan: fingerprint })).toMatchObject({
        isError: false,
      })
      expect(readFileSync(other, 'utf8')).not.toBe(before)
    }, '--all-projects'),
  60_000,
)

it('answers wrong parameters with one line, as invalid', async () => {
  const built = await cli()
  const child = spawn(process.execPath, [built.file, 'mcp'], { cwd: project, stdio: ['pipe', 'pipe', 'inherit'] })
  try {
    const wrong = [
      ['initialize', {}],
      ['initialize', undefined],
      ['tools/call', { arguments: {} }],
      ['tools/call', { name: 5 }],
      ['tools/call', { name: 'explain', arguments: 'text' }],
      ['tools/list', { cursor: 5 }],
    ] as const
    wrong.forEach(([method, params], id) => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    })
    const seen = new Set<number>()
    for await (const line of createInterface({ input: child.stdout })) {
      const { id, error } = JSON.parse(line) as { id: number; error: { code: number; message: string } }
      expect(error, wrong[id]?.join(' ')).toMatchObject({ code: -32602 })
      expect(error.message).toMatch(/^Invalid request\. [^\n[{]+$/)
      seen.add(id)
      if (seen.size === wrong.length) break
    }
  } finally {
    child.kill()
    built.close()
  }
}, 60_000)
