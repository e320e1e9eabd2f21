/** `suture explain`: what a provider's error text or a rule means, and what repairs it. */
import { unknownName } from '../../core/options.ts'
import { type Command, CommandError, EXIT } from '../command.ts'
import {
  COSTS,
  docsPage,
  explained,
  nextSteps,
  ruleNames,
  ruleTexts,
  type Step,
  stepLines,
  withDocsPages,
} from '../doctor/index.ts'

export const explain: Command = {
  spec: {
    name: 'explain',
    summary: 'what an error text of a provider, or a rule, means and what repairs it.',
    usage: [
      'suture explain "ERROR TEXT"',
      'suture explain RULE',
      'suture explain --list',
      'suture explain < error.txt',
    ],
    examples: [
      ['suture explain tool-result-missing', 'a rule'],
      ["suture explain 'messages.3: `tool_use` ids were found without `tool_result` blocks'", 'an error text'],
      ['suture explain --list', 'all rules'],
    ],
    options: {
      list: { type: 'boolean', short: 'l', help: 'all rules with one sentence each' },
      json: { type: 'boolean', help: 'as JSON' },
    },
  },
  async run(args, context) {
    if (args.flag('list')) {
      const width = Math.max(...ruleNames().map((one) => one.length)) + 2
      for (const { rule, summary } of ruleTexts()) context.out(`${rule.padEnd(width)}${summary}`)
      return EXIT.ok
    }
    const words =
      args.files.join(' ').trim() ||
      Buffer.from(await context.stdin())
        .toString('utf8')
        .trim()
    if (words === '')
      throw new CommandError(
        'Give an error text or a rule: `suture explain tool-result-missing`. `suture explain --list` has all rules.',
      )
    return /^[a-z]+(-[a-z0-9]+)+$/.test(words)
      ? explainRule(words, args.flag('json'), context.out)
      : explainText(words, args.flag('json'), context.out)
  },
}

/** For a rule about session files, which no provider rejects. */
const FILE_STEPS: readonly Step[] = [
  ['suture doctor', 'checks all sessions on this machine, prints the command to repair each'],
  ['suture repair FILE', 'one session file: shows the repair as a diff, and how to write it'],
]

function explainRule(id: string, asJson: boolean, out: (text: string) => void): number {
  const found = ruleTexts().find(({ rule }) => rule === id)
  if (!found) {
    const { message } = unknownName('rule', id, ruleNames())
    throw new CommandError(`${message.split(' Known:')[0]} \`suture explain --list\` has all rules.`)
  }
  const { rule, summary, why, repair, page } = found
  const link = docsPage(page)
  if (asJson) {
    out(JSON.stringify({ rule, summary, why, repair, link }, null, 2))
    return EXIT.ok
  }
  const steps = repair === undefined ? FILE_STEPS : nextSteps({ kind: 'history', rule, ids: [] })
  const reasons = repair === undefined ? [] : [`  why      ${why}`, `  repair   ${COSTS[repair]}`]
  out([`${rule}: ${summary}`, ...reasons, ...stepLines(steps), `  page     ${link}`].join('\n'))
  return EXIT.ok
}

async function explainText(text: string, asJson: boolean, out: (text: string) => void): Promise<number> {
  const { explain } = await import('../../guard/rejections/explain.ts')
  if (asJson) out(JSON.stringify(withDocsPages(explain(text)), null, 2))
  else for (const line of explained(text)) out(line)
  return EXIT.ok
}
