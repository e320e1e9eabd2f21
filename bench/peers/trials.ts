/**
 * Inputs of the repair table: the 14 histories, and conversations that were broken by seed in every way of
 * `suture/testing`.
 * The conversations are those of the corpus if there is one, else they are made by seed.
 */

import { judge } from '../../contract/judge.ts'
import { openaiChat } from '../../src/dialects/openai-chat/index.ts'
import { type Corruption, conversation, corruptions, Random } from '../../src/testing/corruptions/index.ts'
import { parseHistory } from '../../src/testing/notation/index.ts'
import { peerHistories } from '../../test/peer-histories.ts'
import { notationOf } from '../../test/shorthand.ts'
import { recorded } from '../corpus.ts'
import { isPlain, type Plain, plainOf, withShortIds } from './plain.ts'
import { resultCorruptions } from './result-corruptions.ts'
import { anthropic, requestOf, targets } from './wires.ts'

export interface Trial {
  /** `valid`, or what was done to it. */
  readonly kind: string
  readonly name: string
  readonly history: readonly unknown[]
  /** Whether the types of the peers can hold it. If not, only Suture is run. */
  readonly isPlain: boolean
}

const kit: readonly Pick<Corruption, 'id' | 'apply'>[] = [...corruptions, ...resultCorruptions]
const MAX_CHARACTERS = 20_000
const NEXT: Plain = { role: 'user', content: 'Go on with the next step, please.' }

/** The fourteen histories of an earlier comparison of fifteen repairers. */
export function fourteen(): Trial[] {
  return Object.entries(peerHistories).map(([name, given]) => {
    const history = prompted(withShortIds(parseHistory(notationOf(given), 'openai-chat') as Plain[]))
    return { kind: name.startsWith('valid') ? 'valid' : 'fourteen', name, history, isPlain: true }
  })
}

/** Adds a prompt if the conversation ends with an answer, so that it is a request. */
function prompted(history: readonly Plain[]): readonly Plain[] {
  const last = history.at(-1)
  const isAnswer = last?.role === 'assistant' && (last.tool_calls ?? []).length === 0
  return isAnswer ? [...history, NEXT] : history
}

export interface Sources {
  readonly from: 'corpus' | 'seed'
  readonly conversations: readonly (readonly Plain[])[]
}

/** Valid conversations with calls that every provider accepts. */
export function sources(count: number): Sources {
  const real = [
    ...recorded('openai-chat').map(plainOf),
    ...recorded('anthropic-messages').map((messages) => anthropic.from(messages)),
  ]
    .map(withShortIds)
    .filter(isUsable)
  if (real.length >= 20) return { from: 'corpus', conversations: real.map(prompted) }
  return { from: 'seed', conversations: Array.from({ length: count }, (_, i) => made(i + 1)).filter(isUsable) }
}

function made(seed: number): readonly Plain[] {
  return prompted(plainOf(conversation('openai-chat', new Random(seed))))
}

function isUsable(history: readonly Plain[]): boolean {
  const hasCalls = history.some(({ role }) => role === 'tool')
  if (!hasCalls || !isPlain(history) || JSON.stringify(history).length > MAX_CHARACTERS) return false
  const asked = prompted(history)
  return targets.every((target) => {
    const { provider, endpoint, model, wire } = target
    return judge({ provider, endpoint, model, body: requestOf(wire.to(asked), asked, target) }).accepted
  })
}

/** Corrupted copies, in turn through all kinds; the seed decides what is broken where. */
export function corrupted({ conversations }: Sources, count: number): Trial[] {
  const trials: Trial[] = []
  for (let seed = 1; trials.length < count && seed < count * 20; seed++) {
    const random = new Random(seed)
    const corruption = kit[seed % kit.length]!
    const source = random.pick(conversations)
    const history = corruption.apply(source, openaiChat, random)
    if (!history || history.length === 0) continue
    const held = isPlain(history)
    const asked = held ? prompted(history) : history
    trials.push({ kind: corruption.id, name: `${corruption.id} ${seed}`, history: asked, isPlain: held })
  }
  return trials
}

/** Valid conversations that end with open calls: an approval is pending, or the tools are running. */
export function pendingCalls({ conversations }: Sources, count: number): Trial[] {
  return conversations
    .flatMap((history, i): Trial[] => {
      const at = history.findLastIndex((message) => message.role === 'assistant' && message.tool_calls !== undefined)
      if (at < 1) return []
      return [{ kind: 'pending', name: `pending ${i}`, history: history.slice(0, at + 1), isPlain: true }]
    })
    .slice(0, count)
}

export function validTrials({ conversations }: Sources, count: number): Trial[] {
  const made = conversations
    .slice(0, count)
    .map((history, i) => ({ kind: 'valid', name: `valid ${i}`, history, isPlain: true }))
  return [...fourteen().filter(({ kind }) => kind === 'valid'), ...made]
}
