import { join } from 'node:path'
import type { Agent, Command, Place } from '../types.ts'
import { bin } from './lib.ts'

interface Wire {
  readonly id: string
  readonly wire: string
  readonly type: string
  readonly api: string
  readonly path: string
  readonly model: string
}

const WIRES: readonly Wire[] = [
  { id: 'copilot', wire: 'chat', type: 'openai', api: 'completions', path: '/openai/v1', model: 'gpt-4.1' },
  {
    id: 'copilot-messages',
    wire: 'Messages',
    type: 'anthropic',
    api: '',
    path: '/anthropic',
    model: 'claude-sonnet-4.5',
  },
  {
    id: 'copilot-responses',
    wire: 'Responses',
    type: 'openai',
    api: 'responses',
    path: '/openai/v1',
    model: 'gpt-5.4',
  },
]

function copilotOn({ id, wire, type, api, path, model }: Wire): Agent {
  const command = (place: Place, ...args: string[]): Command => ({
    args: [bin(place, 'copilot'), ...args, '--allow-all', '--no-auto-update', '--disable-builtin-mcps'],
    env: {
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: place.base + path,
      COPILOT_PROVIDER_TYPE: type,
      ...(api === '' ? {} : { COPILOT_PROVIDER_WIRE_API: api }),
      COPILOT_PROVIDER_API_KEY: 'sk-scripted',
      COPILOT_MODEL: model,
    },
  })
  return {
    id,
    folder: 'copilot',
    title: 'Copilot CLI',
    packages: ['@github/copilot'],
    wire,
    run: (prompt, place) => command(place, '-p', prompt),
    resume: (prompt, place) => command(place, '--continue', '-p', prompt),
    shell: (text) => ({
      name: 'bash',
      arguments: { command: text, description: 'scripted', mode: 'sync', initial_wait: 60 },
    }),
    read: (file, { project }) => ({ name: 'view', arguments: { path: join(project, file) } }),
  }
}

export const copilot = WIRES.map(copilotOn)
