/**
 * Tokens of what will be sent, by category, tool, turn and round. Each list adds up to the same total; recorded counts are apart.
 */
import { isObject } from '../../core/index.ts'
import { estimateTokens } from '../../strategies/estimate.ts'
import { partTokens, valueTokens } from '../../strategies/token-counts.ts'
import { MESSAGE_TOKENS } from './cells.ts'
import { CATEGORIES, type Category, type TokenView } from './protocol.ts'
import type { View } from './view.ts'

const at = (name: Category): number => CATEGORIES.indexOf(name)
const INSTRUCTIONS = at('instructions')

export function tokensOf(view: View): TokenView {
  const sums = new Array<number>(CATEGORIES.length).fill(0)
  const tools = new Map<string, { calls: number; tokens: number }>()
  const turns: { turn: number; row: number; rounds: number; parts: number[] }[] = []
  const rounds: { name: string; row: number; tokens: number }[] = []
  const around = aroundOf(view.talk.body)
  sums[INSTRUCTIONS]! += around
  view.sent.list.forEach((_, message) => {
    const { turn = 1, round = 1 } = view.groups[message] ?? {}
    const row = view.rowOfSent[message]!
    if (turns.at(-1)?.turn !== turn)
      turns.push({ turn, row, rounds: 0, parts: new Array<number>(CATEGORIES.length).fill(0) })
    const group = turns.at(-1)!
    const name = `turn ${turn}, round ${round}`
    if (rounds.at(-1)?.name !== name) {
      rounds.push({ name, row, tokens: 0 })
      group.rounds++
    }
    const add = (category: Category, tokens: number) => {
      sums[at(category)]! += tokens
      group.parts[at(category)]! += tokens
      rounds.at(-1)!.tokens += tokens
    }
    addMessage(view, message, add, tools)
  })
  if (turns[0]) turns[0].parts[INSTRUCTIONS]! += around
  if (rounds[0]) rounds[0].tokens += around
  const { window, limit, goal } = view.budget
  return {
    total: sums.reduce((sum, one) => sum + one, 0),
    window,
    limit,
    goal,
    categories: CATEGORIES.map((name, i) => ({ name, tokens: sums[i]! })).filter(({ tokens }) => tokens > 0),
    tools: [...tools].map(([name, one]) => ({ name, ...one })).sort((a, b) => b.tokens - a.tokens),
    turns,
    rounds,
    recorded: recordedOf(view),
  }
}

function addMessage(
  view: View,
  message: number,
  add: (category: Category, tokens: number) => void,
  tools: Map<string, { calls: number; tokens: number }>,
): void {
  const { sent } = view
  const role = sent.role(message)
  add(
    role === 'system' ? 'instructions' : role === 'user' ? 'prompts' : role === 'assistant' ? 'replies' : 'results',
    MESSAGE_TOKENS,
  )
  for (const part of sent.transcript.partsOf(message)) {
    const tokens = partTokens(part, estimateTokens)
    if (part.kind === 'text')
      add(role === 'system' ? 'instructions' : role === 'assistant' ? 'replies' : 'prompts', tokens)
    else if (part.kind === 'reasoning') add('reasoning', tokens)
    else if (part.kind === 'media') add('media', tokens)
    else if (part.kind === 'opaque') add('other', tokens)
    else {
      add(part.kind === 'call' ? 'calls' : 'results', tokens)
      const name = sent.nameOf(part) ?? '(no name)'
      const tool = tools.get(name) ?? { calls: 0, tokens: 0 }
      tools.set(name, { calls: tool.calls + (part.kind === 'call' ? 1 : 0), tokens: tool.tokens + tokens })
    }
  }
}

/** Instructions and declared tools that are sent beside the history. */
function aroundOf(body: Readonly<Record<string, unknown>> | undefined): number {
  if (!isObject(body)) return 0
  return ['system', 'instructions', 'systemInstruction', 'tools', 'toolConfig'].reduce(
    (sum, key) => sum + (body[key] === undefined ? 0 : valueTokens(body[key], estimateTokens)),
    0,
  )
}

function recordedOf({ lines, talk }: View): TokenView['recorded'] {
  return lines.flatMap(({ stored }, row) => {
    const usage = stored < 0 ? undefined : talk.stored[stored]!.recorded
    return usage ? [{ row, usage }] : []
  })
}
