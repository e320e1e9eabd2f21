/** An error text or a rule in words: what it means, why it happens, what repairs it. */
import { explain } from '../guard/rejections/explain.ts'
import { oneLine } from './terminal.ts'

export async function explained(text: string): Promise<readonly string[]> {
  const { rule, summary, why, fix, ids, message, link, texts } = explain(text)
  const place = [message === undefined ? '' : `message ${message}`, ids.length > 0 ? `id ${ids.join(', ')}` : '']
  const where = place.filter(Boolean).join(', ')
  return [
    `${rule ?? 'Unknown error'}: ${summary}`,
    `  why      ${why}`,
    `  repair   ${fix}`,
    ...(where === '' ? [] : [`  place    ${oneLine(where, 300)}`]),
    `  page     ${link}`,
    `  texts    ${texts}`,
  ]
}
