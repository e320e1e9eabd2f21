/**
 * The script of action.yml and the entry of the pre-commit hook, run as they are. Only `npx` is replaced: it runs this
 * checkout instead of a published version.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Cli, cli } from '../cli/harness.ts'

const root = join(import.meta.dirname, '../..')
const [, block = ''] = /^ {6}run: \|\n((?: {8}.*\n?)+)/m.exec(readFileSync(join(root, 'action.yml'), 'utf8')) ?? []
const script = block.replace(/^ {8}/gm, '')
const [, entry = ''] = /^ {2}entry: (.*)$/m.exec(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8')) ?? []

let built: Cli
let path = ''
beforeAll(async () => {
  built = await cli()
  const bin = join(built.home, 'bin')
  mkdirSync(bin)
  const run = `exec "${process.execPath}" "${built.file}" "$@"\n`
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\n[ "$1 $2" = "--yes suture@latest" ] || exit 99\nshift 2\n${run}`)
  writeFileSync(join(bin, 'suture'), `#!/bin/sh\n${run}`)
  for (const name of ['npx', 'suture']) chmodSync(join(bin, name), 0o755)
  path = [bin, process.env['PATH']].join(delimiter)
  const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } }
  const user = { role: 'user', content: 'Weather?' }
  const good = { messages: [user, { role: 'assistant', content: 'Sunny.' }] }
  const bad = { messages: [user, { role: 'assistant', content: null, tool_calls: [call] }, user] }
  built.put('data/good.jsonl', `${JSON.stringify(good)}\n`)
  built.put('data/train set.jsonl', `${JSON.stringify(good)}\n${JSON.stringify(bad)}\n`)
  built.put('data/other.jsonl', '{"temperature":21}\n')
})
afterAll(() => built.close())

const env = () => ({ PATH: path, HOME: built.home, NO_COLOR: '1' })

function action(inputs: Record<string, string>) {
  const given = { SUTURE_FILES: '', SUTURE_CHECK_PROVIDER: '', SUTURE_SARIF: '', SUTURE_VERSION: 'latest', ...inputs }
  return spawnSync('bash', ['-e', '-o', 'pipefail', '-c', script], {
    cwd: built.home,
    encoding: 'utf8',
    env: { ...env(), ...given },
  })
}

it('annotates the line of a fault in a folder, writes SARIF and fails', () => {
  const { status, stdout } = action({
    SUTURE_FILES: 'data',
    SUTURE_CHECK_PROVIDER: 'openai',
    SUTURE_SARIF: 'out.sarif',
  })
  expect(status).toBe(1)
  expect(stdout).toMatch(/^::error file=data\/train set\.jsonl,line=2,title=tool-result-missing::/m)
  const sarif = JSON.parse(readFileSync(join(built.home, 'out.sarif'), 'utf8'))
  expect(sarif.version).toBe('2.1.0')
  expect(sarif.runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId)).toContain('tool-result-missing')
})

it('passes for valid files, and a glob is not expanded by the shell', () => {
  expect(action({ SUTURE_FILES: 'data/good.jsonl' })).toMatchObject({ status: 0 })
  expect(action({ SUTURE_FILES: 'data/g*.jsonl' })).toMatchObject({ status: 0 })
})

it('does not run what an input contains', () => {
  action({ SUTURE_FILES: 'data/good.jsonl; touch pwned', SUTURE_SARIF: '$(touch pwned)' })
  expect(() => readFileSync(join(built.home, 'pwned'))).toThrow()
})

it('checks the files of a commit, and leaves out those of other kinds', () => {
  const hook = (...files: string[]) => {
    const [command = '', ...args] = entry.split(' ')
    return spawnSync(command, [...args, ...files], { cwd: built.home, encoding: 'utf8', env: env() })
  }
  expect(hook('data/good.jsonl', 'data/other.jsonl')).toMatchObject({ status: 0 })
  expect(hook('data/other.jsonl')).toMatchObject({ status: 0 })
  const { status, stdout } = hook('data/train set.jsonl', 'data/other.jsonl')
  expect(status).toBe(1)
  expect(stdout).toContain('tool-result-missing')
})
