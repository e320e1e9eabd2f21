import { join } from 'node:path'
import type { Agent, Command, Place } from '../types.ts'
import { bin, write } from './lib.ts'

interface Wire {
  readonly id: string
  readonly wire: string
  readonly provider: string
  readonly path: string
  readonly model: string
}

const WIRES: readonly Wire[] = [
  { id: 'continue', wire: 'Messages', provider: 'anthropic', path: '/anthropic/v1/', model: 'claude-sonnet-4-5' },
  { id: 'continue-chat', wire: 'chat', provider: 'openai', path: '/openai/v1/', model: 'gpt-4.1' },
]

function continueOn({ id, wire, provider, path, model }: Wire): Agent {
  const command = (place: Place, ...args: string[]): Command => ({
    args: [bin(place, 'cn'), '--config', join(place.home, 'config.yaml'), '--auto', ...args],
    env: { CONTINUE_TELEMETRY_ENABLED: '0', CONTINUE_METRICS_ENABLED: '0', CONTINUE_CLI_AUTO_UPDATED: 'true' },
  })
  return {
    id,
    folder: 'continue',
    title: 'Continue',
    packages: ['@continuedev/cli'],
    wire,
    prepare: ({ home, base }) =>
      write(
        join(home, 'config.yaml'),
        `name: scripted
version: 1.0.0
schema: v1
models:
  - name: scripted
    provider: ${provider}
    model: ${model}
    apiKey: sk-scripted
    apiBase: ${base}${path}
    capabilities: [tool_use]
    roles: [chat]
`,
      ),
    run: (prompt, place) => command(place, '-p', prompt),
    resume: (prompt, place) => command(place, '--resume', '-p', prompt),
    shell: (text) => ({ name: 'Bash', arguments: { command: text } }),
    read: (file, { project }) => ({ name: 'Read', arguments: { filepath: join(project, file) } }),
  }
}

export const continueDev = WIRES.map(continueOn)
