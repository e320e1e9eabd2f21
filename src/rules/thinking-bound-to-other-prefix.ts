import { type Bound, defineRule, type Explanation, type Part, type Place, type Walk } from '../core/index.ts'
import { mendingSteps } from './mends.ts'
import { reasoningOf, release, remember, signed } from './thinking.ts'

export const explanation: Explanation = {
  says: 'Everything before a signed thinking block is as it was when the block was made.',
  why: 'The signature covers all that came before: any mend there makes the blocks behind it invalid.',
  refusals: [
    /thinking`? block[\s\S]{0,400}bound to a different conversation(?![\s\S]{0,400}preceded this one when it was created)/i,
  ],
}

/**
 * Law: `setting` — where in the body thinking is set, if the provider can be told there to drop what does not fit ·
 * `header` — what has to be sent with that setting (for who sends the request).
 */
export const thinkingBoundToOtherPrefix = defineRule({
  id: 'thinking-bound-to-other-prefix',
  repair: 'lossy',
  quiet: signed,
  messages: {
    bound: 'What is mended before this block makes it and those behind it invalid, {count} in all.',
    refused: 'Thinking was refused because something before it has changed, {count} blocks in all.',
  },
  checks: {
    reasoning: remember,
    end(walk, bound) {
      if (bound.refused) report('refused', reasoningOf(walk), bound, walk)
    },
    edited(first, bound, walk) {
      if (bound.refused) return
      const gone = goneFrom(walk)
      const behind = reasoningOf(walk).filter((part) => isSigned(part) && isBehind(part, first) && !gone.has(part))
      report('bound', behind, bound, walk)
      // Whatever the order of rules: what goes here may be what the last turn has to begin with.
      for (const other of walk.plan.bounds.get('thinking-block-missing-before-tool-use') ?? []) {
        other.rule.checks.edited?.(first, other, walk)
      }
    },
  },
})

function report(id: string, parts: readonly Part[], bound: Bound, walk: Walk): void {
  if (parts.length === 0) return
  const steps = release(parts, bound, walk)
  if (steps !== 'handled') walk.report(bound, id, parts[0]!, { count: parts.length }, steps)
}

/** Thinking that another rule takes out already. */
function goneFrom(walk: Walk): ReadonlySet<Part> {
  const gone = new Set<Part>()
  for (const step of mendingSteps(walk)) if (step.do === 'remove') gone.add(step.part)
  return gone
}

function isSigned({ sign }: Part): boolean {
  return sign !== undefined && sign !== null
}

function isBehind(part: Part, [message, index]: Place): boolean {
  return part.message > message || (part.message === message && part.index > index)
}
