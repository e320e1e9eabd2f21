import { join } from 'node:path'
import type { Agent, Command, Place } from '../types.ts'
import { bin } from './lib.ts'

const command = (place: Place, ...args: string[]): Command => ({
  args: [bin(place, 'claude'), ...args, '--model', 'claude-sonnet-4-5', '--allowedTools', 'Bash', 'Read'],
  env: {
    ANTHROPIC_BASE_URL: `${place.base}/anthropic`,
    ANTHROPIC_API_KEY: 'sk-ant-scripted',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  },
})

export const claudeCode: Agent = {
  id: 'claude-code',
  title: 'Claude Code',
  packages: ['@anthropic-ai/claude-code'],
  wire: 'Messages',
  run: (prompt, place) => command(place, '-p', prompt),
  resume: (prompt, place) => command(place, '--continue', '-p', prompt),
  shell: (text) => ({ name: 'Bash', arguments: { command: text, description: 'scripted' } }),
  read: (file, { project }) => ({ name: 'Read', arguments: { file_path: join(project, file) } }),
}
