/**
 * A few ids that are looked for among very many. By its last letters most of the many are told apart from all of the few, and never hashed.
 */
import type { Walk } from '../core/index.ts'
import { shared } from './memory.ts'

const ENDS = 1 << 14

export class Wanted {
  /** Never used: decision 0021. */
  static readonly kept = new Wanted()

  private readonly ids = new Set<unknown>()
  private readonly ends = new Uint8Array(ENDS)

  add(id: unknown): void {
    this.ids.add(id)
    if (typeof id === 'string') this.ends[endOf(id)] = 1
  }

  has(id: unknown): boolean {
    return (typeof id !== 'string' || this.ends[endOf(id)] === 1) && this.ids.has(id)
  }
}

function endOf(id: string): number {
  let end = id.length
  for (let i = Math.max(0, id.length - 4); i < id.length; i++) end = end * 31 + id.charCodeAt(i)
  return end % ENDS
}

/** All calls but those of plain pairs whose id nobody else has, in order: the few of which there may be something to say. */
export function kinOf(walk: Walk): readonly number[] {
  return shared(walk, 'kin', ({ pairing }) => {
    const isPair = (call: number) => pairing.isPlain(call) && pairing.isAnswerPlain(call)
    const wanted = new Wanted()
    for (let call = 0; call < pairing.count; call++) {
      if (isPair(call)) continue
      wanted.add(pairing.callAt(call).id)
      wanted.add(pairing.answerAt(call)?.id)
    }
    for (const { part } of pairing.strays) wanted.add(part.id)
    const kin: number[] = []
    for (let call = 0; call < pairing.count; call++)
      if (!isPair(call) || wanted.has(pairing.plainIdOf(call))) kin.push(call)
    return kin
  })
}
