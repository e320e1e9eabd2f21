/**
 * Where session files are, for each platform.
 */
import { expect, it } from 'vitest'
import { formatById, formats } from '../../src/session-files/index.ts'
import { foldersOfGlob } from '../../src/session-files/node/glob.ts'
import { places } from '../../src/session-files/places.ts'
import type { HostEnvironment } from '../../src/session-files/types.ts'

const HOSTS: Readonly<Record<string, HostEnvironment>> = {
  linux: { platform: 'linux', home: '/home/me', env: {}, cwd: '/p' },
  macOS: { platform: 'darwin', home: '/Users/me', env: {}, cwd: '/p' },
  Windows: { platform: 'win32', home: 'C:\\Users\\me', env: {}, cwd: 'C:\\p' },
  WSL: { platform: 'wsl', home: '/home/me', env: { USERPROFILE: 'C:\\Users\\me' }, cwd: '/p' },
  'WSL without a profile': { platform: 'wsl', home: '/home/me', env: {}, cwd: '/p' },
  variables: {
    platform: 'linux',
    home: '/home/me',
    env: { CLAUDE_CONFIG_DIR: '/c', CODEX_HOME: '/x', COPILOT_HOME: '/g', PI_CODING_AGENT_DIR: '/i', QWEN_HOME: '/q' },
    cwd: '/p',
  },
}

const TABLE: readonly [string, string, readonly string[]][] = [
  ['claude-code', 'linux', ['/home/me/.claude/projects']],
  ['claude-code', 'macOS', ['/Users/me/.claude/projects']],
  ['claude-code', 'Windows', ['C:\\Users\\me\\.claude\\projects']],
  ['claude-code', 'WSL', ['/home/me/.claude/projects', '/mnt/c/Users/me/.claude/projects']],
  ['claude-code', 'WSL without a profile', ['/home/me/.claude/projects', '/mnt/c/Users']],
  ['claude-code', 'variables', ['/c/projects']],
  ['codex', 'linux', ['/home/me/.codex/sessions', '/home/me/.codex/archived_sessions']],
  ['codex', 'Windows', ['C:\\Users\\me\\.codex\\sessions', 'C:\\Users\\me\\.codex\\archived_sessions']],
  ['codex', 'variables', ['/x/sessions', '/x/archived_sessions']],
  ['copilot-cli', 'macOS', ['/Users/me/.copilot/session-state']],
  ['copilot-cli', 'Windows', ['C:\\Users\\me\\.copilot\\session-state']],
  ['copilot-cli', 'variables', ['/g/session-state']],
  ['pi', 'linux', ['/home/me/.pi/agent/sessions', '/home/me/.omp/agent/sessions', '/home/me/.openclaw/agents']],
  [
    'pi',
    'Windows',
    ['C:\\Users\\me\\.pi\\agent\\sessions', 'C:\\Users\\me\\.omp\\agent\\sessions', 'C:\\Users\\me\\.openclaw\\agents'],
  ],
  ['pi', 'variables', ['/i/sessions', '/home/me/.omp/agent/sessions', '/home/me/.openclaw/agents']],
  ['qwen-code', 'linux', ['/home/me/.qwen/projects']],
  ['qwen-code', 'WSL', ['/home/me/.qwen/projects', '/mnt/c/Users/me/.qwen/projects']],
  ['qwen-code', 'variables', ['/q/projects']],
]

it.each(TABLE)('%s on %s', (format, host, roots) => {
  expect(
    formatById(format)
      .locate(HOSTS[host]!)
      .map(({ root }) => root),
  ).toEqual(roots)
})

it('an unknown format is named with the nearest one', () => {
  expect(() => formatById('claude-cod')).toThrow('Did you mean "claude-code"?')
})

it('formats and places have the same order and the same functions', () => {
  const located = formats.filter(({ locate }) => locate(HOSTS['linux']!).length > 0)
  expect(located.map(({ id, locate }) => [id, locate])).toEqual(Object.entries(places))
})

it.each([
  ['*/*.jsonl', ['a'], ['a/b']],
  ['{*/events.jsonl,*.jsonl}', ['a'], ['a/b']],
  ['**/x.json', ['a', 'a/b/c'], []],
  ['*/.claude/projects/*/*.jsonl', ['me', 'me/.claude', 'me/.claude/projects/p'], ['me/Documents', 'me/.claude/todos']],
  ['*/chats/**/*.jsonl', ['p', 'p/chats', 'p/chats/a/b'], ['p/tmp']],
  ['logs/[ab]*.json', ['logs', 'other'], []],
])('only folders that can hold a match of %s are listed', (glob, inside, outside) => {
  const may = foldersOfGlob(glob)
  expect(inside.filter((path) => !may.test(path))).toEqual([])
  expect(outside.filter((path) => may.test(path))).toEqual([])
})
