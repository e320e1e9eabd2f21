/**
 * `suture serve --demo`: two broken histories, sent to the emulator with and without the gateway, on one screen and on
 * the page of the viewer. Then a conversation runs through the gateway.
 */

import { repair } from '../../index.ts'
import type { Answer, Demo, DemoStory } from '../../viewer/demo-data.ts'
import { type Paint, paint } from '../terminal/index.ts'
import { converse } from './demo-conversation.ts'
import { diff, messageLine, replyText, sideBySide } from './demo-screen.ts'
import { type Story, stories } from './demo-stories.ts'

export interface DemoOptions {
  readonly page: Demo & { readonly stories: DemoStory[] }
  readonly print: (text: string) => void
  readonly colors: boolean
  readonly width: number
  /** Between two prompts of the conversation. */
  readonly pauseMs: number
  readonly signal: AbortSignal
}

/** `emulator`: its address. Returns when the screen is complete; the conversation continues. */
export async function demonstrate(
  gateway: string,
  emulator: string,
  { page, print, colors, width: columns, pauseMs, signal }: DemoOptions,
): Promise<{ readonly conversation: Promise<void> }> {
  const ink = paint(colors)
  const width = Math.min(Math.max(columns, 72), 110)
  print(
    `\n  ${ink.bold('Suture')} repairs broken LLM conversation histories, so that the provider stops answering 400.`,
  )
  for (const story of stories) {
    const { title, provider, model, body } = story
    const without = await send(`${emulator}/${provider}`, story)
    const repaired = await send(`${gateway}/${provider}`, story)
    page.stories.push({ title, provider, model, body, without, repaired })
    print(`\n${scene(story, without, repaired, width, ink).join('\n')}`)
  }
  const conversation = converse(gateway, page.session, pauseMs, signal)
  print(`\n${ending(gateway, ink).join('\n')}\n`)
  return { conversation }
}

function scene(story: Story, without: Answer, repaired: Answer, width: number, ink: Paint): string[] {
  const { title, history, model, dialect, provider } = story
  const { value } = repair(history, { provider, model })
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

function ending(gateway: string, ink: Paint): string[] {
  const row = (name: string, text: string) => `  ${ink.bold(name.padEnd(10))}${text}`
  return [
    row(
      'Look',
      `${ink.cyan(`${gateway}/suture/viewer/#/demo`)}  these two histories to repair, and a conversation to watch`,
    ),
    row('Use it', `OPENAI_BASE_URL=${gateway}/openai/v1  ANTHROPIC_BASE_URL=${gateway}/anthropic`),
    row('', "a built-in emulator answers; `npx suture serve` forwards to the providers, with the client's own key"),
    row('More', 'npx suture: check the session files of coding agents'),
    row('Stop', 'Ctrl-C'),
  ]
}
