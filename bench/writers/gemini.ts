/**
 * Gemini's contents. The first call of an answer is signed where the model thinks, as Gemini 3 demands.
 */
import type { Call, Round } from '../conversation.ts'
import { every, type Native, type Writer } from './writer.ts'

export const gemini: Writer = {
  key: 'contents',
  opening: () => [],
  turn({ prompt, rounds, answer }) {
    const contents: unknown[] = [{ role: 'user', parts: [{ text: prompt }] }]
    for (const round of rounds) {
      contents.push({ role: 'model', parts: asked(round) })
      contents.push({ role: 'user', parts: round.calls.map(response) })
    }
    if (answer) contents.push({ role: 'model', parts: [{ text: answer.text }] })
    return contents
  },
  isResults: (content) => every((content as Native)['parts'], (part) => part['functionResponse'] !== undefined),
}

function asked({ text, thinking, signature, calls }: Round): Native[] {
  const parts: Native[] = text ? [{ text }] : []
  for (const [i, { id, name, args }] of calls.entries()) {
    const signed = thinking && i === 0 ? { thoughtSignature: signature } : {}
    parts.push({ functionCall: { id, name, args }, ...signed })
  }
  return parts
}

function response({ id, name, result, failed }: Call): Native {
  return { functionResponse: { id, name, response: { [failed ? 'error' : 'output']: result } } }
}
