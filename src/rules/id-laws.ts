/**
 * What the laws in force ask of an id of a call, put together once for a plan.
 */
import type { Walk } from '../core/index.ts'
import type { Print } from './prints.ts'

/** Legal wherever ids are known to be checked, for a provider that has just refused one and said no law. */
const NARROWEST = /^[a-zA-Z0-9]{9}$/
const SHORTEST = 40

/** Patterns that any word fits: its letters were looked at already, when its print was taken. */
const WORDS: ReadonlySet<string> = new Set(['^[a-zA-Z0-9_-]+$', '^[a-zA-Z0-9_.:-]+$'])

/** What the laws in force ask of an id. */
export class IdLaws {
  readonly patterns: RegExp[] = []
  readonly scopes = new Set<unknown>()
  readonly wantsId: boolean
  /** Every word of letters, digits, `_` and `-` fits all patterns. */
  readonly takesWords: boolean
  readonly max: number

  constructor(bounds: Walk['plan']['bounds']) {
    for (const { law } of bounds.get('tool-call-id-format') ?? [])
      this.patterns.push((law['pattern'] as RegExp | undefined) ?? NARROWEST)
    const lengths = (bounds.get('tool-call-id-too-long') ?? []).map(
      ({ law }) => (law['max'] as number | undefined) ?? SHORTEST,
    )
    this.max = Math.min(Number.POSITIVE_INFINITY, ...lengths)
    for (const { law } of bounds.get('tool-call-id-duplicate') ?? []) this.scopes.add(law['scope'] ?? 'request')
    this.takesWords = this.patterns.every(({ source }) => WORDS.has(source))
    this.wantsId = bounds.has('tool-call-id-empty') || this.patterns.some((pattern) => !pattern.test(''))
  }

  /** `print`: its print, if it was read. */
  isLegalBy(print: Print, id: string): boolean {
    return print.isWord && this.takesWords ? id.length <= this.max : this.isLegal(id)
  }

  isLegal(id: string): boolean {
    if (id.length > this.max || !id.isWellFormed()) return false
    for (let i = 0; i < this.patterns.length; i++) if (!this.patterns[i]!.test(id)) return false
    return true
  }
}

/** The laws of a plan are the same for every history. */
const known = new WeakMap<Walk['plan'], IdLaws>()

export function lawsOf(plan: Walk['plan']): IdLaws {
  let laws = known.get(plan)
  if (!laws) {
    laws = new IdLaws(plan.bounds)
    known.set(plan, laws)
  }
  return laws
}
