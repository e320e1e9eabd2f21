/**
 * Tokens of what will be sent, by category, tool, turn and round. Each list adds up to the same total; recorded counts
 * are apart.
 */
import { estimateTokens } from '../../strategies/estimate.ts'
import { tokensAround } from '../../strategies/planning-input.ts'
import { partTokens } from '../../strategies/token-counts.ts'
import { MESSAGE_TOKENS } from './cells.ts'
import { costOf, PRICES_DATE } from './message-facts.ts'
import { CATEGORIES, type Category, type RoleName, type TokenView } from './protocol.ts'
import type { View } from './view.ts'

interface Sizes {
  readonly name: string
  readonly turn: number
  readonly row: number
  tokens: number
  readonly parts: number[]
}

export function tokensOf(view: View): TokenView {
  const total = sizes('total', 1, 0)
  const turns: Sizes[] = []
  const rounds: Sizes[] = []
  const tools = new Map<string, { calls: number; tokens: number }>()
  const add = (category: Category, tokens: number) => {
    for (const one of [total, turns.at(-1), rounds.at(-1)]) if (one) addTo(one, category, tokens)
  }
  const around = tokensAround(view.conversation.body ?? {})
  view.sent.list.forEach((_, message) => {
    const { turn = 1, round = 1 } = view.groups[message] ?? {}
    const row = view.rowOfSent[message]!
    if (turns.at(-1)?.turn !== turn) turns.push(sizes(`turn ${turn}`, turn, row))
    if (rounds.at(-1)?.name !== `${turn}.${round}`) rounds.push(sizes(`${turn}.${round}`, turn, row))
    if (message === 0) add('instructions', around)
    addMessage(view, message, add, tools)
  })
  if (turns.length === 0) add('instructions', around)
  const { window, limit, goal } = view.budget
  return {
    total: total.tokens,
    window,
    limit,
    goal,
    categories: total.parts,
    tools: [...tools].map(([name, one]) => ({ name, ...one })).sort((a, b) => b.tokens - a.tokens),
    turns,
    rounds: rounds.map(({ parts: _, ...round }) => round),
    recorded: recordedOf(view),
  }
}

function sizes(name: string, turn: number, row: number): Sizes {
  return { name, turn, row, tokens: 0, parts: new Array<number>(CATEGORIES.length).fill(0) }
}

function addTo(sizes: Sizes, category: Category, tokens: number): void {
  sizes.tokens += tokens
  sizes.parts[CATEGORIES.indexOf(category)]! += tokens
}

/** The category of a message of this role, and of its texts. */
const OF_ROLE: Readonly<Record<RoleName, readonly [message: Category, text: Category]>> = {
  system: ['instructions', 'instructions'],
  user: ['prompts', 'prompts'],
  assistant: ['replies', 'replies'],
  tool: ['results', 'prompts'],
  unknown: ['results', 'prompts'],
}

const OF_PART = { call: 'calls', result: 'results', reasoning: 'reasoning', media: 'media', opaque: 'other' } as const

function addMessage(
  { sent }: View,
  message: number,
  add: (category: Category, tokens: number) => void,
  tools: Map<string, { calls: number; tokens: number }>,
): void {
  const [ofMessage, ofText] = OF_ROLE[sent.transcript.role(message)]
  add(ofMessage, MESSAGE_TOKENS)
  for (const part of sent.transcript.partsOf(message)) {
    const { kind } = part
    const tokens = partTokens(part, estimateTokens)
    add(kind === 'text' ? ofText : OF_PART[kind], tokens)
    if (kind !== 'call' && kind !== 'result') continue
    const name = sent.nameOf(part) ?? '(no name)'
    const tool = tools.get(name) ?? { calls: 0, tokens: 0 }
    tools.set(name, { calls: tool.calls + (kind === 'call' ? 1 : 0), tokens: tool.tokens + tokens })
  }
}

function recordedOf({ conversation: { stored } }: View): TokenView['recorded'] {
  const all = stored.flatMap(({ facts }) => (facts?.usage ? [{ facts, usage: facts.usage }] : []))
  const last = all.at(-1)?.usage
  const costs = all.flatMap(({ facts }) => costOf(facts) ?? [])
  return (
    last && {
      ...last,
      output: all.reduce((sum, { usage }) => sum + usage.output, 0),
      requests: all.length,
      cost: costs.reduce((sum, one) => sum + one, 0),
      unpriced: all.length - costs.length,
      pricesOf: PRICES_DATE,
    }
  )
}
