import { join } from 'node:path'
import type { Agent, Command, Place } from '../types.ts'
import { bin, write } from './lib.ts'

const command = (place: Place, ...args: string[]): Command => ({
  args: [bin(place, 'gemini'), ...args, '-m', 'gemini-2.5-pro', '--yolo', '--skip-trust'],
  env: { GOOGLE_GEMINI_BASE_URL: `${place.base}/gemini`, GEMINI_API_KEY: 'scripted' },
})

export const geminiCli: Agent = {
  id: 'gemini-cli',
  title: 'Gemini CLI',
  packages: ['@google/gemini-cli'],
  wire: 'Gemini',
  prepare: ({ home }) =>
    write(join(home, '.gemini/settings.json'), {
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      telemetry: { enabled: false },
    }),
  run: (prompt, place) => command(place, '-p', prompt),
  resume: (prompt, place) => command(place, '--resume', 'latest', '-p', prompt),
  shell: (text) => ({ name: 'run_shell_command', arguments: { command: text } }),
  read: (file, { project }) => ({ name: 'read_file', arguments: { file_path: join(project, file) } }),
  ownBugs: {
    'tool-result-count-mismatch': 'resume sends every tool result twice (google-gemini/gemini-cli#29365)',
  },
}
