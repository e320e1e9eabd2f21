/**
 * Where the session files of each agent are, on every platform. Imports no format: looking for files does not load
 * them.
 */
import { belowHome, belowXdgData, fromWindows, inEditors, join, roaming } from './locations.ts'
import type { FileLocation, HostEnvironment } from './types.ts'

export type Locate = (host: HostEnvironment) => readonly FileLocation[]

const CODEX = 'rollout-*.{jsonl,jsonl.zst}'
const CLINE_TASK = 'tasks/*/api_conversation_history.json'
const CLINE_EXTENSIONS = ['saoudrizwan.claude-dev', 'rooveterinaryinc.roo-cline', 'kilocode.kilo-code']
const GOOSE = 'sessions/{sessions.db,*.jsonl}'
const CHATS = ['workspaceStorage/*/chatSessions/*', 'globalStorage/emptyWindowChatSessions/*']

/** By the id of the format, in the order of `formats`. The variable replaces the part of a folder before the colon. */
export const places = {
  'claude-code': (host) => belowHome(host, '.claude:projects', '*/*.jsonl', 'CLAUDE_CONFIG_DIR'),
  codex: (host) => [
    ...belowHome(host, '.codex:sessions', `*/*/*/${CODEX}`, 'CODEX_HOME'),
    ...belowHome(host, '.codex:archived_sessions', `**/${CODEX}`, 'CODEX_HOME'),
  ],
  'copilot-cli': (host) => belowHome(host, '.copilot:session-state', '{*/events.jsonl,*.jsonl}', 'COPILOT_HOME'),
  pi: (host) => [
    ...belowHome(host, '.pi/agent:sessions', '*/*.jsonl', 'PI_CODING_AGENT_DIR'),
    ...belowHome(host, '.omp/agent/sessions', '*/*.jsonl'),
    ...belowHome(host, '.openclaw/agents', '*/sessions/*.jsonl'),
  ],
  'qwen-code': (host) =>
    belowHome(
      host,
      '.qwen:projects',
      '*/chats/**/*.jsonl',
      host.env['QWEN_RUNTIME_DIR'] ? 'QWEN_RUNTIME_DIR' : 'QWEN_HOME',
    ),
  cline: (host) => [
    ...belowHome(host, '.cline/data', 'sessions/*/*.messages.json', 'CLINE_DATA_DIR'),
    ...belowHome(host, '.cline/data', CLINE_TASK, 'CLINE_DATA_DIR'),
    ...CLINE_EXTENSIONS.flatMap((name) => inEditors(host, `globalStorage/${name}/${CLINE_TASK}`)),
  ],
  opencode: (host) =>
    ['opencode', 'kilo'].flatMap((name) => [
      ...belowXdgData(host, name, '*.db'),
      ...belowXdgData(host, name, 'storage/session/*/*.json'),
    ]),
  goose: (host) => {
    if (host.platform === 'win32') return [{ root: join(host, roaming(host), 'Block/goose/data'), pattern: GOOSE }]
    const own = belowXdgData({ ...host, platform: 'linux' }, 'goose', GOOSE)
    return host.platform === 'wsl' ? [...own, fromWindows(host, 'AppData/Roaming/Block/goose/data', GOOSE)] : own
  },
  crush: (host) => [{ root: join(host, host.cwd, '.crush'), pattern: 'crush.db' }],
  'gemini-cli': (host) => belowHome(host, '.gemini/tmp', '*/chats/session-*.{jsonl,json}'),
  'kimi-code': (host) => belowHome(host, '.kimi-code', 'sessions/*/*/agents/*/wire.jsonl'),
  openhands: (host) => belowHome(host, '.openhands', 'conversations/*/base_state.json'),
  continue: (host) => belowHome(host, '.continue', 'sessions/*.json', 'CONTINUE_GLOBAL_DIR'),
  amp: (host) => belowXdgData(host, 'amp', 'threads/T-*.json'),
  droid: (host) => belowHome(host, '.factory/sessions', '**/*.jsonl'),
  'vscode-copilot-chat': (host) => CHATS.flatMap((folder) => inEditors(host, `${folder}.{jsonl,json}`)),
} satisfies Readonly<Record<string, Locate>>
