import { type Bound, defineRule, type Explanation, own, type Part, type Walk } from '../core/index.ts'

export const explanation: Explanation = {
  says: 'A refusal is sent back as text, where the provider does not know refusal parts.',
  why: 'A server that looks for the text of every part fails on one that has none.',
  refusals: [],
}

/** Law: `as` — the native type of an assistant's text part (default `text`). */
export const refusalReplay = defineRule({
  id: 'refusal-replay',
  repair: 'safe',
  messages: { refusal: 'A refusal part stands where only text is known.' },
  checks: { text: check, opaque: check },
})

function check(part: Part, bound: Bound, walk: Walk): void {
  if (part.type !== 'refusal' || part.index < 0) return
  const text = own(part.value, 'refusal')
  if (typeof text !== 'string') return
  const type = (bound.law['as'] as string | undefined) ?? 'text'
  walk.report(bound, 'refusal', part, {}, [{ do: 'replace', part, with: () => ({ type, text }) }])
}
