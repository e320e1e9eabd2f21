/**
 * `suture serve --demo`: a small client that asks a gateway, so that one sees what it does.
 */
import { demonstrateAgent } from './agent-demo.ts'
import { Stage } from './turn-lines.ts'

type Print = (text: string) => void

const broken = {
  model: 'claude-opus-4-5',
  max_tokens: 200,
  tools: [{ name: 'weather', input_schema: { type: 'object', properties: { city: { type: 'string' } } } }],
  messages: [
    { role: 'user', content: 'What is the weather in Oslo?' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Oslo' } }] },
    { role: 'user', content: 'Are you still there?' },
  ],
}

/** `provider`: the address of the built-in one, where it is the one that answers. */
export async function demonstrate(
  gateway: string,
  provider: string | undefined,
  { print, write }: { readonly print: Print; readonly write: Print },
): Promise<void> {
  if (provider === undefined) {
    print('\nThe demonstration asks the built-in provider only: start it with --offline.')
    return
  }
  await requests(gateway, provider, print)
  print('\n— An agent on a session of its own, to which everything happens that breaks conversations —')
  try {
    await demonstrateAgent(new Stage(write))
  } catch (error) {
    print(`\nThe agent's demonstration failed, and the gateway goes on: ${String(error)}`)
  }
  print(`\nThe gateway serves at ${gateway} until it is stopped.`)
}

async function requests(gateway: string, provider: string, print: Print): Promise<void> {
  print('\n— A history with a call that was never answered (somebody pressed Escape) —')
  await ask(print, 'straight to the provider', `${provider}/v1/messages`, broken)
  await ask(print, 'through the gateway', `${gateway}/anthropic/v1/messages`, broken)
  print('\n— A stream that the provider cuts in the middle —')
  const cut = { 'x-contract-fault': 'cut-after-events=2' }
  const said = { model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'Hello' }] }
  await ask(print, 'through the gateway', `${gateway}/openai/v1/chat/completions`, said, cut)
  print('\n— A conversation that the gateway keeps: only what is new is sent —')
  const id = `demo-${Date.now()}`
  const kept = { 'suture-session': id, 'suture-mode': 'append' }
  for (const content of ['Hello', 'And once more'])
    await ask(
      print,
      `sent: ${content}`,
      `${gateway}/openai/v1/chat/completions`,
      { model: 'gpt-4o', messages: [{ role: 'user', content }] },
      kept,
    )
  const { messages } = (await (await fetch(`${gateway}/suture/v1/sessions/${id}`)).json()) as {
    messages: { role: string }[]
  }
  print(`\nin the session: ${messages.map(({ role }) => role).join(', ')}`)
}

async function ask(print: Print, how: string, url: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await response.text().catch((error: Error) => `(${error.message})`)
  print(`\n${how}: ${response.status}`)
  for (const [name, value] of response.headers)
    if (name.startsWith('suture-') && name !== 'suture-request-id') print(`  ${name}: ${value}`)
  const last = text.trim().split('\n').at(-1) ?? ''
  print(`  ${last.length > 220 ? `${last.slice(0, 220)}…` : last}`)
}
