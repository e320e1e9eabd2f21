import { asList, asObject, wordOf } from './json.ts'
import { type Item, type Tool, type View, view } from './read.ts'
import { sample } from './schema-sample.ts'
import type { IncomingRequest, Reply } from './types.ts'

/** The default agent, without a script: calls each declared tool once per turn, then repeats the results. */
export function agent(ask: IncomingRequest, parallelCalls: boolean): Reply {
  const seen = view(ask)
  const turn = currentTurn(seen.items)
  const open = callable(seen).filter((tool) => !turn.some((item) => item.kind === 'call' && item.name === tool.name))
  const reasoning = reasons(ask) ? { reasoning: thought(open, turn) } : {}
  const next = parallelCalls ? open : open.slice(0, 1)
  if (next.length === 0) return { ...reasoning, text: report(turn) }
  return { ...reasoning, calls: next.map((tool) => ({ name: tool.name, arguments: sample(tool.schema) })) }
}

function currentTurn(items: readonly Item[]): readonly Item[] {
  const from = items.findLastIndex((item) => item.kind === 'prompt')
  return from < 0 ? items : items.slice(from)
}

function callable({ tools, choice }: View): readonly Tool[] {
  if (choice === 'none') return []
  return choice === undefined ? tools : tools.filter((tool) => tool.name === choice)
}

function thought(open: readonly Tool[], turn: readonly Item[]): string {
  const [next] = open
  if (next) return `Nothing from ${next.name} yet, so I ask it.`
  return turn.some((item) => item.kind === 'result') ? 'All tools have answered.' : 'No tool is needed.'
}

function report(turn: readonly Item[]): string {
  const results = turn.filter((item) => item.kind === 'result')
  const lines = results.map((result) => `${result.name ?? nameOf(result.id, turn)} → ${short(result.text)}`)
  if (lines.length > 0) return `Here is what the tools said: ${lines.join('; ')}.`
  const [first] = turn
  return first?.kind === 'prompt' ? `You said “${short(first.text)}”.` : 'There is nothing to answer.'
}

function nameOf(id: unknown, turn: readonly Item[]): string {
  const call = turn.find((item) => item.kind === 'call' && item.id === id)
  return call?.kind === 'call' ? call.name : wordOf(id)
}

function short(text: string): string {
  const characters = [...text]
  return characters.length > 200 ? `${characters.slice(0, 200).join('')}…` : text
}

/** Chat models that think by default. */
const THINKERS: Readonly<Record<string, RegExp>> = {
  deepseek: /deepseek-(reasoner|v[4-9])/,
  moonshot: /kimi-(k2-thinking|thinking|k2\.[5-9]|k[3-9])/,
}

/** Whether the request asks for visible reasoning, as far as the format can express it. */
function reasons({ endpoint, provider, model, body }: IncomingRequest): boolean {
  const thinking = asObject(body['thinking'])['type']
  switch (endpoint) {
    case 'messages':
      return thinking === 'enabled' || thinking === 'adaptive'
    case 'chat':
      if (thinking !== undefined) return thinking !== 'disabled'
      return THINKERS[provider]?.test(model) ?? false
    case 'responses':
      return 'reasoning' in body || asList(body['include']).includes('reasoning.encrypted_content')
    case 'gemini':
      return asObject(asObject(body['generationConfig'])['thinkingConfig'])['includeThoughts'] === true
    case 'converse': {
      const fields = asObject(body['additionalModelRequestFields'])
      const type = asObject(fields['thinking'] ?? fields['reasoning_config'])['type']
      return type === 'enabled' || type === 'adaptive'
    }
  }
}
