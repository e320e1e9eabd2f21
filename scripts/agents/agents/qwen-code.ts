import { join } from 'node:path'
import type { Agent, Command, Place } from '../types.ts'
import { bin, write } from './lib.ts'

const command = (place: Place, ...args: string[]): Command => ({
  args: [bin(place, 'qwen'), ...args, '--auth-type', 'openai', '--yolo'],
  env: { OPENAI_BASE_URL: `${place.base}/openai/v1`, OPENAI_API_KEY: 'sk-scripted', OPENAI_MODEL: 'gpt-4.1' },
})

export const qwenCode: Agent = {
  id: 'qwen-code',
  title: 'Qwen Code',
  packages: ['@qwen-code/qwen-code'],
  wire: 'chat',
  prepare: ({ home }) =>
    write(join(home, '.qwen/settings.json'), {
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      general: { enableAutoUpdate: false, disableAutoUpdate: true },
    }),
  run: (prompt, place) => command(place, '-p', prompt),
  resume: (prompt, place) => command(place, '--continue', '-p', prompt),
  shell: (text) => ({ name: 'run_shell_command', arguments: { command: text, is_background: false } }),
  read: (file, { project }) => ({ name: 'read_file', arguments: { file_path: join(project, file) } }),
}
