/** One prompt to a session of a gateway, answered by the contract. */
import { expect } from 'vitest'

export async function sendPrompt(url: string, session: string, text: string, key?: string): Promise<void> {
  const response = await fetch(`${url}/openai/v1/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'suture-session': session,
      'suture-mode': 'append',
      ...(key ? { 'suture-key': key, authorization: 'Bearer sk-up' } : {}),
    },
    body: JSON.stringify({ model: 'gpt-3.5-turbo', messages: [{ role: 'user', content: text }] }),
  })
  expect(response.status, await response.clone().text()).toBe(200)
  await response.text()
}
