/**
 * Cache marks of a request, in the order in which they count: tools, system, messages. Gathered once for all rules that ask.
 * A mark may have moved or gone by the mend of another rule; what counts is where it is then.
 */
import {
  type Bound,
  isObject,
  type JsonObject,
  type MessageView,
  own,
  type Part,
  type Step,
  type Walk,
  withKey,
} from '../core/index.ts'
import { shared } from './memory.ts'
import { mendingSteps } from './mends.ts'

export const MARK = 'cache_control'

export interface Mark {
  readonly list: 'tools' | 'system' | 'messages'
  /** Place in the list of the request; of a part: its message. */
  readonly index: number
  /** The part that carries it from now on; undefined: it is none of a message. */
  part: Part | undefined
  /** The part it came with. */
  readonly origin: Part | undefined
  /** Place among the blocks of a result; -1: on the part itself. */
  readonly inner: number
  readonly value: JsonObject
  gone: boolean
}

interface Marks {
  next: number
  readonly marks: Mark[]
}

export function gatherMarks({ index, parts }: MessageView, _bound: Bound, walk: Walk): void {
  const state = stateOf(walk)
  if (index < state.next) return
  state.next = index + 1
  for (const part of parts) {
    const value = markOf(part.value)
    if (value) state.marks.push({ list: 'messages', index, part, origin: part, inner: -1, value, gone: false })
    if (part.kind === 'result' && Array.isArray(part.body)) gatherInner(part, part.body, state.marks)
  }
}

function gatherInner(part: Part, blocks: readonly unknown[], marks: Mark[]): void {
  for (let inner = 0; inner < blocks.length; inner++) {
    const value = markOf(blocks[inner])
    if (value) marks.push({ list: 'messages', index: part.message, part, origin: part, inner, value, gone: false })
  }
}

/** All marks that are left, first those of tools and system, where the request was given. */
export function marksOf(walk: Walk): readonly Mark[] {
  const marks: Mark[] = []
  for (const list of ['tools', 'system'] as const) {
    const items = bodyList(list, walk)
    for (let index = 0; index < items.length; index++) {
      const value = markOf(items[index])
      if (value) marks.push({ list, index, part: undefined, origin: undefined, inner: -1, value, gone: false })
    }
  }
  for (const mark of stateOf(walk).marks) if (!mark.gone) marks.push(mark)
  return marks
}

/**
 * Takes the marks from blocks of a message that may not have one to the nearest that may, backwards first: the prefix that is
 * cached stays nearly the same. A mark goes where there is no such block, or one that has its own.
 */
export function moveMarks(view: MessageView, bound: Bound, walk: Walk, isWrong: (part: Part) => boolean): void {
  gatherMarks(view, bound, walk)
  const marks = new Map<Part | undefined, Mark>()
  for (const mark of stateOf(walk).marks.slice(firstOf(view.index, walk))) {
    if (!mark.gone && mark.inner < 0) marks.set(mark.part, mark)
  }
  let target: Part | undefined
  for (const part of view.parts) {
    const mark = marks.get(part)
    if (mayCarry(part)) target = part
    if (!mark || !isWrong(part)) continue
    target ??= view.parts.find(mayCarry)
    const steps: Step[] = [{ do: 'replace', part, with: (value) => withMark(value, undefined) }]
    if (target && !marks.has(target)) {
      marks.set(target, mark)
      steps.push({ do: 'replace', part: target, with: (value) => withMark(value, mark.value) })
      mark.part = target
    } else mark.gone = true
    walk.report(bound, 'wrong', part, {}, steps)
  }
}

function firstOf(message: number, walk: Walk): number {
  const { marks } = stateOf(walk)
  let at = marks.length
  while (at > 0 && marks[at - 1]!.index === message) at--
  return at
}

function mayCarry(part: Part): boolean {
  if (part.kind === 'reasoning' || part.kind === 'opaque' || part.index < 0 || !isObject(part.value)) return false
  return part.kind !== 'text' || (typeof part.body === 'string' && part.body.trim() !== '')
}

/** Steps that change the marks of these; undefined takes a mark away. */
export function setMarks(marks: readonly Mark[], now: (mark: Mark) => JsonObject | undefined, walk: Walk): Step[] {
  const steps: Step[] = []
  for (const mark of marks) {
    if (mark.part) steps.push(setOnPart(mark, mark.part, now(mark)))
    if (mark.origin && mark.origin !== mark.part) steps.push(setOnPart(mark, mark.origin, undefined))
  }
  for (const list of ['tools', 'system'] as const) {
    const changed = new Map(marks.filter((mark) => mark.list === list).map((mark) => [mark.index, now(mark)]))
    if (changed.size === 0) continue
    const value = bodyList(list, walk).map((item, i) => (changed.has(i) ? withMark(item, changed.get(i)) : item))
    steps.push({ do: 'body', key: list, value })
  }
  return steps
}

function setOnPart({ inner }: Mark, part: Part, now: JsonObject | undefined): Step {
  if (inner < 0) return { do: 'replace', part, with: (value) => withMark(value, now) }
  return {
    do: 'replace',
    part,
    with(value) {
      const content = own(value, 'content')
      if (!Array.isArray(content)) return value
      const blocks = content.map((block, i) => (i === inner ? withMark(block, now) : block))
      return withKey(value as object, 'content', blocks)
    },
  }
}

/** As the request has it, or as an earlier mend leaves it. */
function bodyList(key: string, walk: Walk): readonly unknown[] {
  let list = walk.body?.[key]
  for (const step of mendingSteps(walk)) if (step.do === 'body' && step.key === key) list = step.value
  return Array.isArray(list) ? list : []
}

export function markOf(value: unknown): JsonObject | undefined {
  const mark = own(value, MARK)
  return isObject(mark) ? mark : undefined
}

function withMark(value: unknown, mark: JsonObject | undefined): unknown {
  return isObject(value) && (mark || Object.hasOwn(value, MARK)) ? withKey(value, MARK, mark) : value
}

function stateOf(walk: Walk): Marks {
  return shared<Marks>(walk, 'cache-marks', () => ({ next: 0, marks: [] }))
}
