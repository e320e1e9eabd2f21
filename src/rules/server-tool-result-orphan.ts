import { type Bound, defineRule, type Explanation, ROLE, type Walk } from '../core/index.ts'

export const explanation: Explanation = {
  says: 'Both halves of a tool that the provider ran stand together.',
  why: 'The provider wrote both; it refuses one half that comes back without the other.',
  refusals: [
    /unexpected `?tool_use_id`? found in `?(?!tool_result\b)\w+_tool_result`? blocks/i,
    /must have a corresponding `?server_tool_use`? block before it/i,
    /tool use with id .{0,80}was found without a corresponding .{0,80}result`? block/i,
  ],
}

/** Law: no facts. */
export const serverToolResultOrphan = defineRule({
  id: 'server-tool-result-orphan',
  repair: 'lossy',
  messages: {
    result: 'The result {call} of a tool the provider ran has no call before it.',
    call: 'The call {call} of a tool the provider ran has no result.',
  },
  checks: {
    end(walk, bound) {
      for (const part of walk.pairing.server.orphans) {
        walk.report(bound, 'result', part, { call: part.id }, [{ do: 'remove', part }])
      }
      if (walk.pairing.server.open.size > 0) reportOpen(walk, bound)
    },
  },
})

/** Only a warning: no refusal of an open call was seen. In the last answer the tool may still run, so that one is left alone. */
function reportOpen(walk: Walk, bound: Bound): void {
  let last = walk.outlines.length - 1
  while (last >= 0 && (walk.outlines[last]! & 7) !== ROLE.assistant) last--
  const warning: Bound = bound.refused ? bound : { ...bound, severity: 'warning' }
  for (const part of walk.pairing.server.open.values()) {
    if (part.message < last) walk.report(warning, 'call', part, { call: part.id }, [{ do: 'remove', part }])
  }
}
