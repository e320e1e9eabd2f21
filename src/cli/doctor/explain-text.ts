/** An error text in words: what is wrong and whether a session is at fault, what to do now, then why. */
import { type ErrorExplanation, explain } from '../../guard/rejections/explain.ts'
import { repairOf } from '../../guard/rejections/rule-costs.ts'
import { oneLine } from '../terminal/index.ts'
import { withDocsPages } from './docs-page.ts'
import { COSTS, nextSteps, stepLines } from './next-steps.ts'

/** `withSteps`: false for a caller that prints the next command itself. */
export function explained(text: string, withSteps = true): readonly string[] {
  const found = withDocsPages(explain(text))
  const { rule, why, ids, message, part, link, texts } = found
  const index = message === undefined ? '' : `message ${message}${part === undefined ? '' : `, ${part}`}`
  const where = [index, ids.length > 0 ? `id ${ids.join(', ')}` : ''].filter(Boolean).join(', ')
  return [
    headline(found),
    ...(withSteps ? stepLines(nextSteps(found)) : []),
    `  repair   ${repairLine(found)}`,
    `  why      ${why}`,
    ...(where === '' ? [] : [`  place    ${oneLine(where, 300)}`]),
    ...(rule === undefined ? [] : [`  rule     ${rule}`]),
    `  page     ${link}`,
    `  texts    ${texts.replace(/#.*/, '')}${rule === undefined || !texts.includes('#') ? '' : `  (search for ${rule})`}`,
  ]
}

/** What is wrong, and whether a session file is at fault. */
function headline({ kind, rule, summary, why, confidence }: ErrorExplanation): string {
  const [first = ''] = why.split(/(?<=\.) /)
  const sure = confidence === 'likely' ? 'Probably: ' : ''
  if (kind === 'unknown')
    return 'Unknown error: this text does not say what is wrong, or whether a session file is at fault.'
  if (rule === 'invalid-argument-opaque') return `${first} A session file may be at fault, or a setting.`
  if (kind === 'size' || kind === 'output-limit')
    return `${sure}${first} The session is too large for this request; its file is not damaged.`
  if (kind === 'retryable' || kind === 'model-output') return `${sure}${first} The session file is not at fault.`
  if (kind === 'other') return `${sure}${repairOf(rule) ? `This does not hold: ${summary}` : first} ${NOT_FILE}`
  return `${sure}The session file or history is at fault. This does not hold: ${summary}`
}

const NOT_FILE = 'The session file is not at fault.'

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
