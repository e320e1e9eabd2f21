import { join } from 'node:path'
import type { Agent, Command, Place } from '../types.ts'
import { bin, write } from './lib.ts'

interface Wire {
  readonly id: string
  readonly wire: string
  readonly api: string
  readonly path: string
  readonly model: string
}

const WIRES: readonly Wire[] = [
  { id: 'pi', wire: 'Messages', api: 'anthropic-messages', path: '/anthropic', model: 'claude-sonnet-4-5' },
  { id: 'pi-responses', wire: 'Responses', api: 'openai-responses', path: '/openai/v1', model: 'gpt-5.4' },
  { id: 'pi-gemini', wire: 'Gemini', api: 'google-generative-ai', path: '/gemini/v1beta', model: 'gemini-2.5-pro' },
]

function piOn({ id, wire, api, path, model }: Wire): Agent {
  const command = (place: Place, ...args: string[]): Command => ({
    args: [bin(place, 'pi'), '--provider', 'scripted', '--model', model, ...args],
    env: { PI_OFFLINE: '1', PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1' },
  })
  return {
    id,
    folder: 'pi',
    title: 'pi',
    // Later versions name a dependency that is not in the registry.
    packages: ['@earendil-works/pi-coding-agent@0.87.1'],
    wire,
    prepare: ({ home, base }) =>
      write(join(home, '.pi/agent/models.json'), {
        providers: {
          scripted: {
            baseUrl: base + path,
            api,
            apiKey: 'sk-scripted',
            models: [{ id: model, contextWindow: 200_000, maxTokens: 8_000, reasoning: false }],
          },
        },
      }),
    run: (prompt, place) => command(place, '-p', prompt),
    resume: (prompt, place) => command(place, '--continue', '-p', prompt),
    shell: (text) => ({ name: 'bash', arguments: { command: text } }),
    read: (file) => ({ name: 'read', arguments: { path: file } }),
  }
}

export const pi = WIRES.map(piOn)
