/**
 * The scripted model of every run: three rounds of tool calls, then an answer that ends with a mark. The current round
 * is read from the request, so a repeated request gets the same answer and a fault occurs once.
 */
import type { Ask, Reply } from '../../contract/index.ts'
import type { Scenario } from './scenarios.ts'
import type { Agent, Place } from './types.ts'

export const PROMPTS = ['PROMPT1: please do the scripted work', 'PROMPT2: go on please'] as const
export const MARKS = ['FIRST-ANSWER-COMPLETE', 'SECOND-ANSWER-COMPLETE'] as const
const WORDS =
  'All three commands ran, and the notes were read — nothing is left to do. Das Ergebnis steht oben; the work that was asked for is done. '

export interface Model {
  step(ask: Ask): Reply
  readonly struck: boolean
  /** Resolves with the beginning of the answer to the round that a kill waits for. */
  readonly reached: Promise<void>
}

type Round = 0 | 1 | 2 | 'final'

export function scriptedModel(agent: Agent, scenario: Scenario, place: Place): Model {
  let struck = false
  let limit: number | undefined
  let reach = () => {}
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  const faultsFor = (round: Round, ask: Ask): Pick<Reply, 'fault' | 'paceMs'> => {
    if (scenario.limited) {
      if (round === 2 && limit === undefined) limit = ask.tokens
      if (limit === undefined) return {}
      // A quarter of the large result fits; agents shorten it themselves, at most by half. Four bytes are a token.
      const overflow = limit + scenario.limited / 4 / 4
      if (ask.tokens > overflow) struck = true
      return { fault: `overflow=${Math.floor(overflow)}` }
    }
    if (round !== scenario.round) return {}
    if (scenario.kill) {
      struck = true
      reach()
      return scenario.kill === 'stream' ? { paceMs: 300 } : {}
    }
    if (struck || !scenario.faults) return {}
    struck = true
    return { fault: scenario.faults(ask) }
  }
  return {
    reached,
    get struck() {
      return struck
    },
    step(ask) {
      const state = stateOf(ask)
      if (!declares(ask, agent.shell('true', place).name)) return { text: 'A short title' }
      if (state.summary) return { text: 'Summary: the scripted work is nearly done.', ...faultsFor('final', ask) }
      if (state.turn === 1) return { ...reasoning(ask), ...secondTurn(agent, place, state.results) }
      const round = roundOf(state.results)
      return { ...reasoning(ask), ...replyFor(agent, scenario, place, round), chunkBytes: 12, ...faultsFor(round, ask) }
    },
  }
}

function roundOf(results: number): Round {
  if (results < 2) return results as Round
  return results < 4 ? 2 : 'final'
}

function replyFor(agent: Agent, scenario: Scenario, place: Place, round: Round): Reply {
  const shell = (command: string) => agent.shell(command, place)
  const second = scenario.kill === 'tool' ? `touch ${place.project}/started; sleep 45` : 'echo two'
  switch (round) {
    case 0:
      return { text: 'I begin — right away.', calls: [shell('echo one')] }
    case 1: {
      const calls = [agent.read?.('notes.txt', place) ?? shell('cat notes.txt'), shell(second)]
      // A kill in the stream needs one that is long on every wire.
      return { text: scenario.kill === 'stream' ? WORDS.repeat(2) : 'Two more.', calls }
    }
    case 2:
      return { calls: [shell(scenario.limited ? 'cat large.txt' : 'echo three')] }
    case 'final':
      return { text: `${WORDS.repeat(2)}${MARKS[0]}` }
  }
}

function secondTurn(agent: Agent, place: Place, results: number): Reply {
  if (results === 0) return { text: 'I go on.', calls: [agent.shell('echo again', place)] }
  return { text: `${WORDS}${MARKS[1]}` }
}

function reasoning({ endpoint, body }: Ask): Reply {
  const type = (body['thinking'] as { type?: string } | undefined)?.type
  const asked = endpoint === 'messages' ? type === 'enabled' || type === 'adaptive' : endpoint === 'responses'
  return asked && (endpoint === 'messages' || 'reasoning' in body) ? { reasoning: 'The script says what is next.' } : {}
}

/** Whether the request declares this tool; requests for titles and summaries of a file do not. */
function declares({ body }: Ask, name: string): boolean {
  return JSON.stringify(body['tools'] ?? []).includes(`"name":${JSON.stringify(name)}`)
}

interface State {
  /** Which of the two prompts came last. */
  readonly turn: number
  /** Tool results after it. */
  readonly results: number
  /** The request asks for a summary of the conversation. */
  readonly summary: boolean
}

export function stateOf({ body }: Pick<Ask, 'body'>): State {
  const list = (body['messages'] ?? body['contents'] ?? body['input'] ?? []) as readonly unknown[]
  const texts = (Array.isArray(list) ? list : [list]).map((item) => JSON.stringify(item))
  const last = PROMPTS.map((prompt) => texts.findLastIndex((text) => text.includes(prompt) && !isAnswer(text)))
  const turn = (last[1] ?? -1) > (last[0] ?? -1) ? 1 : 0
  const after = texts.slice(Math.max(last[turn] ?? -1, 0))
  const results = after.reduce((sum, text) => sum + (text.match(RESULT)?.length ?? 0), 0)
  const end = texts.findLast((text) => /"role":"user"/.test(text) || RESULT_ONCE.test(text)) ?? ''
  const asks = /summar(y|ize)|compact|compress|checkpoint/i.test(end)
  const summary = asks && !RESULT_ONCE.test(end) && !PROMPTS.some((prompt) => end.includes(prompt))
  return { turn, results, summary }
}

const RESULT = /"type":"tool_result"|"role":"tool"|"type":"(function|custom_tool)_call_output"|"functionResponse":/g
const RESULT_ONCE = new RegExp(RESULT.source)
const isAnswer = (text: string) => /"role":"(assistant|model)"/.test(text)
