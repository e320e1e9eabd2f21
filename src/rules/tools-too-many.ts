import { type Bound, defineRule, type Explanation } from '../core/index.ts'

export interface ToolsTooMany {
  /** How many tools a request may declare. */
  readonly max?: number
}

/** Needs the request. */
export const toolsTooMany = defineRule({
  id: 'tools-too-many',
  phase: 'structure',
  repair: 'none',
  messages: { many: 'The request declares {count} tools; {provider} accepts at most {max}. Declare fewer.' },
  check(t, { max }: Bound<ToolsTooMany>, report) {
    if (max === undefined || !t.request) return
    const count = t.dialect.declaredTools?.(t.request).length ?? 0
    if (count > max) report('many', [], { count, max })
  },
})

export const explanation: Explanation = {
  summary: 'A request declares no more tools than the provider allows.',
  why: 'The request is rejected. Editing the history does not help: declare fewer tools.',
}
