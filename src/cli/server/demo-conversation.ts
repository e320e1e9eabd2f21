/**
 * A conversation through the gateway, to watch in the viewer: tools, a call without a result, a broken stream.
 * It ends after its last step, or when the gateway closes.
 */
import { setTimeout } from 'node:timers/promises'

/** The built-in provider calls a tool with the first example of its schema. */
function weatherIn(city: string): unknown {
  const properties = { city: { type: 'string', examples: [city] } }
  return { type: 'function', function: { name: 'weather', parameters: { type: 'object', properties } } }
}

interface Step {
  readonly prompt: string
  /** The tool `weather` is declared, and called for this city. */
  readonly city?: string
  readonly fault?: string
}

const STEPS: readonly Step[] = [
  { prompt: 'Hello. This conversation is stored by the gateway; only new messages are sent.' },
  { prompt: 'What is the weather in Oslo?', city: 'Oslo' },
  { prompt: 'I pressed Escape before the tool was done. Are you still there?' },
  { prompt: 'This reply breaks off in the middle.', fault: 'cut-after-events=3' },
  { prompt: 'And it goes on.' },
  { prompt: 'What is the weather in Rome?', city: 'Rome' },
  { prompt: 'Escape again. The call stays, with a result that says what is known.' },
  { prompt: 'Thank you.' },
]

/** `pauseMs`: between two prompts. */
export async function converse(gateway: string, session: string, pauseMs: number, signal: AbortSignal): Promise<void> {
  for (const { prompt, city, fault } of STEPS) {
    if (signal.aborted) return
    await fetch(`${gateway}/openai/v1/chat/completions`, {
      method: 'POST',
      signal,
      headers: {
        'content-type': 'application/json',
        'suture-session': session,
        'suture-mode': 'append',
        ...(fault ? { 'x-contract-fault': fault } : {}),
      },
      body: JSON.stringify({
        model: 'gpt-4o',
        stream: true,
        messages: [{ role: 'user', content: prompt }],
        ...(city ? { tools: [weatherIn(city)] } : {}),
      }),
    })
      .then((response) => response.text())
      .catch(() => undefined) // A broken stream is part of the story, and so is the end of the gateway.
    await setTimeout(pauseMs, undefined, { signal, ref: false }).catch(() => {})
  }
}
