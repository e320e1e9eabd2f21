/** An error text in words: what it means, why it happens, what repairs it, and the next command. */
import { type ErrorExplanation, explain } from '../guard/rejections/explain.ts'
import { docsPage } from './docs-page.ts'
import { COSTS, nextSteps, repairOf, stepLines } from './next-steps.ts'
import { oneLine } from './terminal.ts'

/** `withSteps`: false for a caller that prints the next command itself. */
export function explained(text: string, withSteps = true): readonly string[] {
  const found = explain(text)
  const { rule, summary, why, ids, message, link, texts } = found
  const place = [message === undefined ? '' : `message ${message}`, ids.length > 0 ? `id ${ids.join(', ')}` : '']
  const where = place.filter(Boolean).join(', ')
  const search = rule === undefined || !texts.includes('#') ? '' : `  (search for ${rule})`
  return [
    `${rule ?? 'Unknown error'}: ${summary}`,
    `  why      ${why}`,
    ...(where === '' ? [] : [`  place    ${oneLine(where, 300)}`]),
    `  repair   ${repairLine(found)}`,
    ...(withSteps ? stepLines(nextSteps(found)) : []),
    `  page     ${docsPage(link)}`,
    `  texts    ${docsPage(texts.replace(/#.*/, ''))}${search}`,
  ]
}

function repairLine({ kind, rule, fix }: ErrorExplanation): string {
  if (kind === 'unknown')
    return 'Check the rejected request. If nothing is found, the cause is outside the history: key, model, parameters.'
  const cost = repairOf(rule)
  return cost === undefined ? fix : COSTS[kind === 'other' ? 'none' : cost]
}
