/** An error text in words: what it means, why it happens, what repairs it, and the next command. */
import { type ErrorExplanation, explain } from '../../guard/rejections/explain.ts'
import { repairOf } from '../../guard/rejections/rule-costs.ts'
import { oneLine } from '../terminal/index.ts'
import { withDocsPages } from './docs-page.ts'
import { COSTS, nextSteps, stepLines } from './next-steps.ts'

/** `withSteps`: false for a caller that prints the next command itself. */
export function explained(text: string, withSteps = true): readonly string[] {
  const found = withDocsPages(explain(text))
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
    `  page     ${link}`,
    `  texts    ${texts.replace(/#.*/, '')}${search}`,
  ]
}

function repairLine({ kind, rule, fix }: ErrorExplanation): string {
  if (kind === 'unknown')
    return 'Check the rejected request. If nothing is found, the cause is outside the history: key, model, parameters.'
  if (kind === 'size') return sizeLine(rule)
  const cost = repairOf(rule)
  return cost === undefined ? fix : COSTS[kind === 'other' ? 'none' : cost]
}

/** Commands and options instead of the calls that `fix` names. */
function sizeLine(rule: string | undefined): string {
  const media = rule === 'request-too-large' ? ', and images and files by a note (`shrinkMedia: true`)' : ''
  return `Shorten the history. \`suture serve\` shortens the largest tool results. In your own program the options of the guard under \`recovery\` also replace old rounds by a note (\`dropRounds: true\`) or by a summary (\`summarize\`)${media}.`
}
