import { join } from 'node:path'
import type { Agent, Command, Place } from '../types.ts'
import { bin, write } from './lib.ts'

interface Wire {
  readonly id: string
  readonly wire: string
  readonly npm: string
  readonly path: string
  readonly model: string
}

const WIRES: readonly Wire[] = [
  { id: 'opencode', wire: 'Messages', npm: '@ai-sdk/anthropic', path: '/anthropic/v1', model: 'claude-sonnet-4-5' },
  { id: 'opencode-responses', wire: 'Responses', npm: '@ai-sdk/openai', path: '/openai/v1', model: 'gpt-5.4' },
  { id: 'opencode-gemini', wire: 'Gemini', npm: '@ai-sdk/google', path: '/gemini/v1beta', model: 'gemini-2.5-pro' },
  { id: 'opencode-chat', wire: 'chat', npm: '@ai-sdk/openai-compatible', path: '/openai/v1', model: 'gpt-4.1' },
]

function opencodeOn({ id, wire, npm, path, model }: Wire): Agent {
  const command = (place: Place, ...args: string[]): Command => ({
    args: [bin(place, 'opencode'), 'run', '-m', `scripted/${model}`, ...args],
    env: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' },
  })
  return {
    id,
    folder: 'opencode',
    title: 'opencode',
    packages: ['opencode-ai'],
    wire,
    prepare: ({ home, base }) =>
      write(join(home, '.config/opencode/opencode.json'), {
        $schema: 'https://opencode.ai/config.json',
        autoupdate: false,
        share: 'disabled',
        permission: { bash: 'allow', read: 'allow', external_directory: 'allow' },
        provider: {
          scripted: {
            npm,
            name: 'scripted',
            options: { baseURL: base + path, apiKey: 'sk-scripted' },
            models: { [model]: { name: model, limit: { context: 200_000, output: 8_000 }, tool_call: true } },
          },
        },
      }),
    run: (prompt, place) => command(place, prompt),
    resume: (prompt, place) => command(place, '-c', prompt),
    shell: (text) => ({ name: 'bash', arguments: { command: text, description: 'scripted' } }),
    read: (file, { project }) => ({ name: 'read', arguments: { filePath: join(project, file) } }),
  }
}

export const opencode = WIRES.map(opencodeOn)
