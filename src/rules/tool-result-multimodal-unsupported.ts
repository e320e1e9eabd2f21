import {
  type Bound,
  defineRule,
  type Explanation,
  type Fix,
  HAS_RESULT,
  type Part,
  type Transcript,
} from '../core/index.ts'
import { swapIn } from './lib/media.ts'

export interface ToolResultMultimodalUnsupported {
  /** Kinds of media that a result may hold. Default: none. */
  readonly media?: readonly ('image' | 'audio' | 'video' | 'document')[]
  /** Also results that answer no call: here they stay results. Elsewhere they become notes, media and all. */
  readonly unmatched?: boolean
}

export const toolResultMultimodalUnsupported = defineRule({
  id: 'tool-result-multimodal-unsupported',
  phase: 'structure',
  about: () => ({ parts: ['results'] }),
  repair: 'safe',
  messages: {
    media:
      'The result for call {call} in message {index} has media ({count}) that {rejects} in a result. {Repair} moves them out of the result.',
  },
  check(t, { media: allowed = [], unmatched }: Bound<ToolResultMultimodalUnsupported>, report) {
    const { nativeMedia } = t.dialect
    if (!nativeMedia || t.results.every(({ body }) => typeof body === 'string')) return
    const answered = new Set(t.pairs.results)
    let end = -1
    for (const part of t.results) {
      if (typeof part.body === 'string' || (!unmatched && !answered.has(part))) continue
      const media = nativeMedia.blocksIn(part).filter((block) => !nativeMedia.isText(block))
      const moved = media.filter((block) => {
        const kind = nativeMedia.kindOf(block)
        return kind !== undefined && !allowed.includes(kind)
      })
      if (moved.length === 0) continue
      if (part.message > end) end = lastResultMessage(t, part.message)
      const fix = isOpenRound(t, part) ? [] : moveOut(t, part, media, moved, end)
      report('media', part, { call: part.id ?? '(no id)', count: moved.length }, fix)
    }
  },
})

/** The text stays in the result; the media go into a message of the user after the last result of the turn. */
function moveOut(t: Transcript, part: Part, media: readonly unknown[], moved: readonly unknown[], after: number): Fix {
  const content = t.dialect.content(part)
  const ofUser = content.media.filter((_, i) => content.media.length !== media.length || moved.includes(media[i]))
  const label = `[Media from the result of call ${part.id ?? part.name ?? ''}]`
  const insert = { do: 'insert', after, value: t.dialect.textMessage('user', label, ofUser) } as const
  const keepsText = t.dialect.nativeMedia!.blocksIn(part).length > media.length || !Array.isArray(part.body)
  if (!keepsText && moved.length === media.length)
    return [insert, { do: 'write', part, change: { result: '(see the media in the next message)' } }]
  const value = moved.reduce((now, block) => swapIn(now, block, undefined), part.value)
  return [insert, { do: 'replace', part, value }]
}

/** Results of a round that may still get others: a message after them would divide it. */
function isOpenRound(t: Transcript, part: Part): boolean {
  const { pairs, inProgress } = t
  const isOpen = (order: number) => !pairs.results[order] && pairs.isPending(order)
  if (!inProgress || !pairs.waiting.some(isOpen)) return false
  const order = pairs.results.indexOf(part)
  return order >= 0 && pairs.isPending(order)
}

function lastResultMessage(t: Transcript, message: number): number {
  let end = message
  while (
    end + 1 < t.history.length &&
    !t.isAssistant(end + 1) &&
    (t.role(end + 1) === 'tool' || (t.flags[end + 1]! & HAS_RESULT) !== 0)
  )
    end++
  return end
}

export const explanation: Explanation = {
  summary: 'A result has only content types that the provider accepts in results.',
  why: 'Some models accept images in user messages only and reject them in results.',
  repair: 'Repair moves the image into a labeled user message after the results.',
}
