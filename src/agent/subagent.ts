/**
 * An agent as a tool of another: a session of its own, bounded in time and steps.
 */
import type { Session } from '../session/index.ts'
import type { About, Tool } from '../tools/index.ts'
import { runTurn } from './turn.ts'
import type { TurnOptions } from './types.ts'

export interface SubagentOptions extends Omit<TurnOptions, 'signal' | 'timeout'> {
  readonly name: string
  readonly description: string
  /** The session it works in: a new one for each call, or one that remembers. */
  readonly session: (about: About) => Session | Promise<Session>
  /** Milliseconds for the whole of its work; 600,000 unless told. */
  readonly limit?: number
}

const prompt = { type: 'string', description: 'What to do, with all that must be known for it.' }
const parameters = { type: 'object', properties: { prompt }, required: ['prompt'], additionalProperties: false }

/** A tool that hands a task on. What it answers is the result; its abort and its failure are a failed one. */
export function subagent({ name, description, session, limit = 600_000, ...options }: SubagentOptions): Tool {
  return {
    name,
    description,
    parameters,
    timeout: limit,
    async run({ prompt }: { prompt: string }, about) {
      const turn = runTurn(await session(about), prompt, { steps: 20, ...options, signal: about.signal })
      for await (const event of turn) if (event.type !== 'done') about.progress(event)
      const { status, text, error } = await turn.outcome
      if (status === 'done') return text
      throw new Error(
        `It ended as "${status}"${error ? ` (${error.message})` : ''}.${text === '' ? '' : ` It had said: ${text}`}`,
      )
    },
  }
}
