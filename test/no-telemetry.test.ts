/**
 * No telemetry and no update check: no address of a third party is in the sources, only those of providers, and the
 * library and the command line open no connection by themselves.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Fails on any connection or name lookup, and names the address. */
const TRAP = `
const net = require('node:net'), dns = require('node:dns')
const trapped = (name) => () => { process.stderr.write('CONNECTION ' + name + '\\n'); process.exit(99) }
net.Socket.prototype.connect = trapped('net')
for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6']) dns[name] = trapped('dns')
globalThis.fetch = trapped('fetch')
`

function run(args: readonly string[], home: string) {
  const trap = join(home, 'trap.cjs')
  writeFileSync(trap, TRAP)
  const env = { PATH: process.env['PATH'], HOME: home, NO_COLOR: '1' }
  return spawnSync(process.execPath, ['--require', trap, ...args], { cwd: home, env, encoding: 'utf8' })
}

it.each([
  ['the library', ['--input-type=module', '-e', `await import(${JSON.stringify(join(root, 'dist/src/index.js'))})`]],
  ['suture', [join(root, 'dist/cli/main.js')]],
  ['suture --version', [join(root, 'dist/cli/main.js'), '--version']],
  ['suture --help', [join(root, 'dist/cli/main.js'), '--help']],
])('%s opens no connection', (_name, args) => {
  const home = mkdtempSync(join(tmpdir(), 'suture-quiet-'))
  try {
    const { status, stderr } = run(args, home)
    expect(stderr).not.toContain('CONNECTION')
    expect(status).not.toBe(99)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})

it('the trap works', () => {
  const home = mkdtempSync(join(tmpdir(), 'suture-quiet-'))
  try {
    expect(run(['-e', `require('node:net').connect(9, '127.0.0.1')`], home).status).toBe(99)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})

it('nothing runs when the package is installed', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) expect(scripts).not.toHaveProperty(name)
})

it('names no service for telemetry or versions', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
    .map((file) => [file, readFileSync(join(root, 'src', file), 'utf8')] as const)
  const found = sources.filter(([, text]) =>
    /registry\.npmjs|update-notifier|posthog|segment\.io|sentry|amplitude|mixpanel|google-analytics/i.test(text),
  )
  expect(found.map(([file]) => file)).toEqual([])
})
