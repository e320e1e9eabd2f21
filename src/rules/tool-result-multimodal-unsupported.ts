import {
  type Bound,
  defineRule,
  type Explanation,
  HAS_RESULT,
  type Part,
  ROLE,
  type Step,
  type Stray,
  type Walk,
} from '../core/index.ts'
import { blocksIn, holdsNoMedia, isText, kindOf, swapIn } from './media.ts'
import { isMended } from './mends.ts'

export const explanation: Explanation = {
  says: 'A result holds only what its provider takes in one.',
  why: 'Images in a result are refused by models that take them from the user alone.',
  refusals: [/`?function_response\.parts`? is not supported for this model/i],
}

/** Law: `media` — kinds a result may hold: `image`, `audio`, `video`, `document` (default none). */
export const toolResultMultimodalUnsupported = defineRule({
  id: 'tool-result-multimodal-unsupported',
  repair: 'safe',
  quiet: ({ refused }) => (refused ? undefined : { result: holdsNoMedia }),
  messages: { media: 'The result of call {call} holds {count} media that may not stand in a result.' },
  checks: {
    result(part, bound, walk) {
      if (typeof part.body === 'string' || part.server) return
      for (const block of blocksIn(part)) {
        if (isText(block) || isAllowed(block, bound)) continue
        walk.recall<Part[]>(bound, () => []).push(part)
        return
      }
    },
    end(walk, bound) {
      const found = walk.memory.get(bound.rule.id) as Part[] | undefined
      if (found) reportAll(found, bound, walk)
    },
  },
})

function isAllowed(block: unknown, bound: Bound): boolean {
  const kind = kindOf(block)
  return kind === undefined || ((bound.law['media'] as readonly string[] | undefined) ?? []).includes(kind)
}

function reportAll(found: readonly Part[], bound: Bound, walk: Walk): void {
  const notes = new Set(walk.pairing.strays.filter((stray) => isNote(stray, walk)).map(({ part }) => part))
  const open = openResults(walk)
  let end = -1
  for (const part of found) {
    if (notes.has(part)) continue
    if (part.message > end) end = slotEnd(walk, part.message)
    const blocks = blocksIn(part)
    const media = blocks.filter((block) => !isText(block))
    const moved = media.filter((block) => !isAllowed(block, bound))
    const steps = open.has(part) ? [] : move(part, media, moved, end, walk)
    walk.report(bound, 'media', part, { call: part.id ?? '(no id)', count: moved.length }, steps)
  }
}

/** A result that answers nothing, or answers again, is said as a note, media and all, where that is mended; elsewhere it stays a result. */
function isNote({ fate, inSlot }: Stray, walk: Walk): boolean {
  if (fate !== 'orphan' && fate !== 'duplicate') return false
  return isMended(fate === 'duplicate' && inSlot ? 'tool-result-duplicate' : 'tool-result-orphan', walk)
}

/** The text stays in the result; the media are the user's, behind the last result of the turn. */
function move(
  part: Part,
  media: readonly unknown[],
  moved: readonly unknown[],
  after: number,
  walk: Walk,
): readonly Step[] {
  const content = walk.dialect.content(part)
  const asUser = content.media.filter((_, i) => content.media.length !== media.length || moved.includes(media[i]))
  const label = `[Media from the result of call ${part.id ?? part.name ?? ''}]`
  const keepsText = blocksIn(part).length > media.length || !Array.isArray(part.body)
  const steps: Step[] = [{ do: 'insert', after, value: walk.dialect.say('user', label, asUser) }]
  if (keepsText || moved.length < media.length) {
    const without = (value: unknown) => moved.reduce((now, block) => swapIn(now, block, undefined), value)
    steps.push({ do: 'replace', part, with: without })
  } else steps.push({ do: 'write', part, change: { result: '(see the media in the next message)' } })
  return steps
}

/** Results of a round that may still get others: a message behind them would cut it in two. */
function openResults(walk: Walk): ReadonlySet<Part> {
  const open = new Set<Part>()
  if (walk.sending) return open
  const { pairing } = walk
  const waits = pairing.waiting.some((call) => !pairing.isAnswered(call) && pairing.isPending(call))
  if (!waits) return open
  for (let call = 0; call < pairing.count; call++) {
    const answer = pairing.isPending(call) ? pairing.answerAt(call) : undefined
    if (answer) open.add(answer)
  }
  return open
}

function slotEnd(walk: Walk, message: number): number {
  let end = message
  const { outlines } = walk
  while (end + 1 < outlines.length && isResults(outlines[end + 1]!)) end++
  return end
}

function isResults(outline: number): boolean {
  const role = outline & 7
  return role === ROLE.tool || (role !== ROLE.assistant && (outline & HAS_RESULT) !== 0)
}
