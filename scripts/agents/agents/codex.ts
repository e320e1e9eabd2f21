import { join } from 'node:path'
import type { Agent, Command, Place } from '../types.ts'
import { bin, write } from './lib.ts'

const command = (place: Place, ...args: string[]): Command => ({
  args: [bin(place, 'codex'), 'exec', ...args, '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'],
  env: { OPENAI_API_KEY: 'sk-scripted', CODEX_API_KEY: 'sk-scripted' },
})

/** `entry` is the part of config.toml that points it at an address. */
function codexWith(id: string, title: string, entry: (base: string) => string): Agent {
  return {
    id,
    folder: 'codex',
    title,
    packages: ['@openai/codex'],
    wire: 'Responses',
    prepare: ({ home, base }) =>
      write(join(home, '.codex/config.toml'), `model = "gpt-5.4"\ncheck_for_update_on_startup = false\n${entry(base)}`),
    run: (prompt, place) => command(place, prompt),
    resume: (prompt, place) => command(place, 'resume', '--last', prompt),
    shell: (text) => ({
      name: 'exec_command',
      arguments: { cmd: text, yield_time_ms: 60_000, max_output_tokens: 20_000 },
    }),
  }
}

export const codex = codexWith(
  'codex',
  'Codex (provider entry)',
  (base) => `model_provider = "scripted"
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "${base}/openai/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
`,
)

/** With its own provider it opens a WebSocket first and falls back to HTTP. */
export const codexOwn = codexWith(
  'codex-openai',
  'Codex (its OpenAI provider)',
  (base) => `openai_base_url = "${base}/openai/v1"\n[analytics]\nenabled = false\n`,
)
