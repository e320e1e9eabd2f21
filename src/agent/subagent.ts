/** A tool that runs another agent in a session of its own, limited in time and steps. */
import type { Session } from '../session/index.ts'
import type { CallContext, Tool } from '../tools/index.ts'
import { runTurn } from './turn.ts'
import type { TurnOptions } from './types.ts'

/** Options of a tool that runs another agent. */
export interface SubagentOptions extends Omit<TurnOptions, 'signal' | 'toolTimeoutMs'> {
  readonly name: string
  readonly description: string
  /** The session of the sub-agent: a new one for each call, or always the same. */
  readonly session: (about: CallContext) => Session | Promise<Session>
  /** Milliseconds for the whole turn. Default 600,000. */
  readonly timeoutMs?: number
}

const prompt = { type: 'string', description: 'The task, with all the information that is needed for it.' }
const parameters = { type: 'object', properties: { prompt }, required: ['prompt'], additionalProperties: false }

/** A tool that runs another agent. Its answer is the result; if it fails or is aborted, the call fails. */
export function subagent({ name, description, session, timeoutMs = 600_000, ...options }: SubagentOptions): Tool {
  return {
    name,
    description,
    parameters,
    timeoutMs,
    async run({ prompt }: { prompt: string }, about) {
      const turn = runTurn(await session(about), prompt, { maxSteps: 20, ...options, signal: about.signal })
      for await (const event of turn) if (event.type !== 'done') about.progress(event)
      const { status, text, error } = await turn.outcome
      if (status === 'done') return text
      throw new Error(
        `The sub-agent ended with the status "${status}"${error ? ` (${error.message})` : ''}.${text === '' ? '' : ` Its last text: ${text}`}`,
      )
    },
  }
}
