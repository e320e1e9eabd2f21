/**
 * `suture serve --demo`: two broken histories, sent to the emulator with and without the gateway, on one screen.
 * Then a conversation runs through the gateway, to be watched in the viewer.
 */

import { repair } from '../../index.ts'
import { type Paint, paint } from '../terminal/index.ts'
import { converse } from './demo-conversation.ts'
import { type Answer, diff, messageLine, replyText, sideBySide } from './demo-screen.ts'
import { type Story, stories } from './demo-stories.ts'

export interface DemoOptions {
  readonly print: (text: string) => void
  readonly colors: boolean
  /** Characters in a line of the terminal. */
  readonly width: number
  /** Between two prompts of the conversation. */
  readonly pauseMs: number
  readonly signal: AbortSignal
}

/** `emulator`: its address. Returns when the screen is complete; the conversation continues. */
export async function demonstrate(
  gateway: string,
  emulator: string,
  options: DemoOptions,
): Promise<{ readonly conversation: Promise<void> }> {
  const { print, signal, pauseMs } = options
  const ink = paint(options.colors)
  const width = Math.min(Math.max(options.width, 72), 110)
  print(
    `\n  ${ink.bold('Suture')} repairs broken LLM conversation histories, so that the provider stops answering 400.`,
  )
  for (const story of stories) print(`\n${(await scene(story, gateway, emulator, width, ink)).join('\n')}`)
  const session = `demo-${Date.now()}`
  const conversation = converse(gateway, session, pauseMs, signal)
  print(`\n${ending(gateway, session, ink).join('\n')}\n`)
  return { conversation }
}

async function scene(story: Story, gateway: string, emulator: string, width: number, ink: Paint): Promise<string[]> {
  const { title, history, model, dialect } = story
  const without = await send(`${emulator}/${story.provider}`, story)
  const repaired = await send(`${gateway}/${story.provider}`, story)
  const { value } = repair(history, { provider: story.provider, model })
  const [before, after] = [history, value].map((one) => one.map((message) => messageLine(message, dialect)))
  return [
    `  ${ink.cyan(title)}`,
    ...sideBySide(without, repaired, width, ink),
    `  ${ink.bold('What the repair changed')} ${ink.dim('(a patch, which can be undone)')}`,
    ...diff(before!, after!, width, ink),
  ]
}

/** An error, or a message, which Gemini wraps. */
interface Reply {
  readonly error?: { readonly message: string }
  readonly candidates?: readonly { readonly content: unknown }[]
}

async function send(base: string, { path, body, dialect }: Story): Promise<Answer> {
  const response = await fetch(`${base}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { error, candidates, ...message } = (await response.json()) as Reply
  return {
    status: response.status,
    text: error?.message ?? replyText(candidates?.[0]?.content ?? message, dialect),
    findings: inWords(response.headers.get('suture-findings') ?? ''),
  }
}

/** `tool-result-duplicate;n=2` of the header as `tool-result-duplicate (twice)`. */
function inWords(findings: string): string {
  return findings.replace(/;n=(\d+)/g, (_, count) => (count === '2' ? ' (twice)' : ` (${count} times)`))
}

function ending(gateway: string, session: string, ink: Paint): string[] {
  const row = (name: string, text: string) => `  ${ink.bold(name.padEnd(10))}${text}`
  return [
    row('Watch', `${ink.cyan(`${gateway}/suture/viewer/#/session/${session}`)}  a conversation is running there`),
    row('Use it', `OPENAI_BASE_URL=${gateway}/openai/v1  ANTHROPIC_BASE_URL=${gateway}/anthropic`),
    row('', "a built-in emulator answers; `npx suture serve` forwards to the providers, with the client's own key"),
    row('More', 'npx suture: check the session files of coding agents'),
    row('Stop', 'Ctrl-C'),
  ]
}
