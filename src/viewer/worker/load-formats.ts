/**
 * Loads the formats that a file needs: the usual formats one after the other until one is certain, else all formats.
 */
import { recognize } from '../../session-files/open.ts'
import type { FileInput, SessionFormat } from '../../session-files/types.ts'
import { formats } from './loaded-formats.ts'

/** The first formats of the list of all formats, in its order. The first certain format is used. */
export const usual: readonly (() => Promise<SessionFormat>)[] = [
  async () => (await import('../../session-files/claude-code/index.ts')).claudeCode,
  async () => (await import('../../session-files/codex/index.ts')).codex,
  async () => (await import('../../session-files/copilot-cli/index.ts')).copilotCli,
]

export async function loadFormatsFor(input: FileInput): Promise<void> {
  for (let next = 0; recognize(input)[0]?.score !== 1; next++) {
    if (next > usual.length) return
    const load = usual[next]
    if (formats.length > next) continue
    if (load) formats.push(await load())
    else formats.splice(0, formats.length, ...(await import('../../session-files/formats.ts')).formats)
  }
}
