import { join } from 'node:path'
import type { Agent, Command, Place } from '../types.ts'
import { bin } from './lib.ts'

const command = (model: string, place: Place, ...args: string[]): Command => ({
  args: [bin(place, 'claude'), ...args, '--model', model, '--allowedTools', 'Bash', 'Read'],
  env: {
    ANTHROPIC_BASE_URL: `${place.base}/anthropic`,
    ANTHROPIC_API_KEY: 'sk-ant-scripted',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  },
})

function claudeCodeWith(id: string, model: string): Agent {
  return {
    id,
    folder: 'claude-code',
    title: `Claude Code with ${model}`,
    packages: ['@anthropic-ai/claude-code'],
    wire: 'Messages',
    run: (prompt, place) => command(model, place, '-p', prompt),
    resume: (prompt, place) => command(model, place, '--continue', '-p', prompt),
    shell: (text) => ({ name: 'Bash', arguments: { command: text, description: 'scripted' } }),
    read: (file, { project }) => ({ name: 'Read', arguments: { file_path: join(project, file) } }),
  }
}

/** Newer models get newer request fields. */
export const claudeCode = [
  claudeCodeWith('claude-code', 'opus'),
  claudeCodeWith('claude-code-sonnet', 'claude-sonnet-4-5'),
]
