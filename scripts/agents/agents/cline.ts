import { join } from 'node:path'
import type { Agent, Command, Place } from '../types.ts'
import { bin } from './lib.ts'

/** The address is stored by `cline auth`, so every run begins with it. */
function command(place: Place, ...args: string[]): Command {
  const auth = ['-p', 'openai', '-k', 'sk-scripted', '-m', 'gpt-4.1', '-b', `${place.base}/openai/v1`]
  const script = '"$0" auth "$1" "$2" "$3" "$4" "$5" "$6" "$7" "$8" >/dev/null && shift 8 && exec "$0" "$@"'
  return {
    args: ['sh', '-c', script, bin(place, 'cline'), ...auth, ...args],
    env: { CLINE_TELEMETRY_DISABLED: '1', CLINE_NO_AUTO_UPDATE: '1' },
  }
}

export const cline: Agent = {
  id: 'cline',
  title: 'Cline',
  packages: ['cline'],
  wire: 'chat',
  run: (prompt, place) => command(place, prompt),
  shell: (text) => ({ name: 'run_commands', arguments: { commands: [text] } }),
  read: (file, { project }) => ({ name: 'read_files', arguments: { files: [{ path: join(project, file) }] } }),
  notes: 'no kill and resume: it resumes a session (`--id`) only in a terminal.',
}
