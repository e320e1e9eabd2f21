/**
 * Every example of README, guides and recipes runs as it stands, in a folder where the packed package is installed: a
 * name that it does not declare is an error. No example connects to anything but this machine. Lines `// prints: …` are
 * what it prints. A `console` block is a command and what it prints. The commands of `sh` blocks have the options that
 * they name.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { type Packed, packed, unbuilt } from './packed-package.ts'
import { skippable } from './skip-reasons.ts'

const ROOT = join(import.meta.dirname, '..')
const folders = ['docs/guide', 'docs/recipes']
const inFolder = (folder: string) => readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`)
const pages = ['README.md', 'docs/session-files.md', ...folders.flatMap(inFolder)]

/** A block of another program is not run. */
const OTHERS = /^(?:curl|claude|pi|npm|pbpaste|[A-Z_]+=)/

/** Ends the process on a connection to another machine. */
const LOOPBACK_ONLY = `
const net = require('node:net')
const connect = net.Socket.prototype.connect
net.Socket.prototype.connect = function (...args) {
  const [{ host, path }] = Array.isArray(args[0]) ? args[0] : args
  if (path || /^(?:127\\.|localhost$|::1$)/.test(host ?? 'localhost')) return connect.apply(this, args)
  console.error('connects to ' + host)
  process.exit(99)
}
`

interface Block {
  readonly title: string
  readonly code: string
}

function blocks(language: string): readonly Block[] {
  return pages.flatMap((page) => {
    const found = readFileSync(join(ROOT, page), 'utf8').matchAll(
      new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'),
    )
    return [...found].map(([, code = ''], i) => ({ title: `${page} ${i + 1}`, code }))
  })
}

describe.skipIf(unbuilt)(skippable('examples of the docs', unbuilt), () => {
  let place: Packed
  beforeAll(() => {
    place = packed()
    writeFileSync(join(place.folder, 'loopback-only.cjs'), LOOPBACK_ONLY)
    writeSession(join(place.folder, 'home'))
  })
  afterAll(() => place.remove())

  it.each(blocks('ts'))('$title', async ({ title, code }) => {
    const file = join(place.folder, `${title.replaceAll(/[/ ]/g, '-')}.mjs`)
    writeFileSync(file, (await transform(code, { loader: 'ts', target: 'node20' })).code)
    const { status, output, errors } = await run(place.folder, process.execPath, [file])
    expect(errors.includes('connects to') || status !== 0 ? errors || output : '').toBe('')
    const printed = [...code.matchAll(/^\/\/ prints: (.*)$/gm)].map(([, line]) => line)
    if (printed.length > 0) expect(output.trim().split('\n')).toEqual(printed)
  })

  it.each(blocks('console'))('$title prints what it shows', async ({ code }) => {
    const [command = '', ...screen] = code.trimEnd().split('\n')
    const { output } = await run(place.folder, 'sh', ['-c', command.replace(/^\$ (?:npx )?/, '')])
    expect(output.replaceAll(`${place.folder}/`, '').trimEnd()).toBe(screen.join('\n'))
  })

  it.each(blocks('sh'))('$title has the options that it names', async ({ code }) => {
    for (const line of code.split('\n')) {
      const [words = ''] = line.split(/\s{2,}#|\s#/)
      const command = words.replace(/^npx /, '')
      if (OTHERS.test(command) || !command.startsWith('suture')) continue
      const name = /^suture ([a-z]+)/.exec(command)?.[1]
      const { output } = await run(place.folder, 'suture', [...(name ? [name] : []), '--help'])
      for (const [option] of command.matchAll(/(?<= )--[a-z-]+/g)) expect(output, line).toContain(option)
      if (name === 'explain') expect((await run(place.folder, 'sh', ['-c', command])).errors, line).toBe('')
    }
  })
})

it('docs import only entry points of the package', () => {
  const names = new Set(Object.keys(packageJson.exports).map((door) => `suture${door.slice(1)}`))
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  const all = [
    ...docs.filter((file) => file.endsWith('.md') && !file.startsWith('site')).map((file) => `docs/${file}`),
    'README.md',
    'llms.txt',
  ]
  const imports = all.flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/from '(suture(?:\/[^']*)?)'/g)].map(([, name]) => name!),
  )
  expect(imports.length).toBeGreaterThan(20)
  expect(imports.filter((name) => !names.has(name))).toEqual([])
})

interface Ended {
  readonly status: number | null
  readonly output: string
  readonly errors: string
}

/** In an empty folder beside the packages, with a home of its own. */
function run(folder: string, command: string, args: readonly string[]): Promise<Ended> {
  const cwd = mkdtempSync(join(folder, 'run-'))
  const env = {
    PATH: `${join(folder, 'node_modules/.bin')}:${process.env['PATH']}`,
    HOME: join(folder, 'home'),
    NODE_OPTIONS: `--require=${join(folder, 'loopback-only.cjs')}`,
  }
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [output, errors] = ['', '']
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (errors += chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, output, errors }))
  })
}

/** A session of Claude Code with a result whose call is gone, two days old. */
function writeSession(home: string): void {
  const project = join(home, '.claude/projects/-home-me-shop')
  mkdirSync(project, { recursive: true })
  const reply = (id: string, ...content: readonly object[]) => ({
    id,
    role: 'assistant',
    model: 'claude-opus-4-5',
    content,
  })
  const result = (id: string, content: string) => ({ type: 'tool_result', tool_use_id: id, content })
  const call = { type: 'tool_use', id: 'toolu_01A', name: 'Bash', input: { command: 'npm test' } }
  const messages = [
    { role: 'user', content: 'Run the tests.' },
    reply('msg_01', call),
    { role: 'user', content: [result('toolu_01A', '18 passed')] },
    reply('msg_02', { type: 'text', text: 'All pass.' }),
    { role: 'user', content: [result('toolu_01B', 'deployed')] },
    { role: 'user', content: 'Are you still there?' },
  ]
  const uuid = (i: number) => `0000000${i}-0000-4000-8000-000000000000`
  const sessionId = '5b7d0e52-6f1a-4c9e-9c55-2f6a1d1f0c11'
  const common = { sessionId, cwd: '/home/me/shop', version: '2.1.0', isSidechain: false, userType: 'external' }
  const records = messages.map((message, i) => ({
    ...common,
    parentUuid: i === 0 ? null : uuid(i - 1),
    uuid: uuid(i),
    type: message.role,
    timestamp: `2026-11-18T09:14:0${i}.000Z`,
    message,
  }))
  const file = join(project, `${sessionId}.jsonl`)
  writeFileSync(file, `${records.map((record) => JSON.stringify(record)).join('\n')}\n`)
  const then = Date.now() / 1000 - 2 * 86_400
  utimesSync(file, then, then)
}
