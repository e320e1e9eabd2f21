import { join } from 'node:path'
import type { Agent, Command, Place } from '../types.ts'
import { bin, write } from './lib.ts'

const command = (place: Place, ...args: string[]): Command => ({
  args: [bin(place, 'kimi'), ...args],
  env: { KIMI_DISABLE_TELEMETRY: '1', KIMI_NO_UPDATE: '1' },
})

export const kimiCode: Agent = {
  id: 'kimi-code',
  title: 'Kimi Code',
  packages: ['@moonshot-ai/kimi-code'],
  wire: 'chat',
  prepare: ({ home, base }) =>
    write(
      join(home, '.kimi-code/config.toml'),
      `default_model = "scripted"
telemetry = false

[providers.scripted]
type = "kimi"
base_url = "${base}/moonshot/v1"
api_key = "sk-scripted"

[models.scripted]
provider = "scripted"
model = "kimi-k2.5"
max_context_size = 262144
`,
    ),
  run: (prompt, place) => command(place, '-p', prompt),
  resume: (prompt, place) => command(place, '--continue', '-p', prompt),
  shell: (text) => ({ name: 'Bash', arguments: { command: text, timeout: 60 } }),
  read: (file, { project }) => ({ name: 'Read', arguments: { path: join(project, file) } }),
}
