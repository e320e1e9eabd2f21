/**
 * Where session files are, for each platform.
 */
import { expect, it } from 'vitest'
import { formatById } from '../../src/session-files/index.ts'
import type { HostEnvironment } from '../../src/session-files/types.ts'

const HOSTS: Readonly<Record<string, HostEnvironment>> = {
  linux: { platform: 'linux', home: '/home/me', env: {}, cwd: '/p' },
  macOS: { platform: 'darwin', home: '/Users/me', env: {}, cwd: '/p' },
  Windows: { platform: 'win32', home: 'C:\\Users\\me', env: {}, cwd: 'C:\\p' },
  WSL: { platform: 'wsl', home: '/home/me', env: { USERPROFILE: 'C:\\Users\\me' }, cwd: '/p' },
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
