import { type Bound, defineRule, type Explanation } from '../core/index.ts'
import { isLegalName, legalName, type NameParams } from './lib/legal-name.ts'

export interface ToolsUndeclaredWithHistory extends NameParams {
  /** A list of tools that is there but empty was not seen rejected. */
  readonly emptyOk?: boolean
}

/** Needs the request. */
export const toolsUndeclaredWithHistory = defineRule({
  id: 'tools-undeclared-with-history',
  phase: 'structure',
  about: () => ({ parts: ['calls', 'results', 'serverParts'] }),
  repair: 'lossy',
  messages: {
    undeclared:
      'The history has calls of tools ({count}), but the request declares none; {rejects} that. {Repair} declares them.',
    none: 'The history has calls of tools ({count}), but the list of declared tools is empty; {rejects} that. {Repair} declares them.',
  },
  check(t, constraint: Bound<ToolsUndeclaredWithHistory>, report) {
    const { dialect, request, calls } = t
    const used = [...calls, ...t.serverParts.filter(({ kind }) => kind === 'call')]
    const isUsed = used.length > 0 || t.results.length > 0 || t.serverParts.length > 0
    if (!request || !isUsed || (dialect.declaredTools?.(request).length ?? 0) > 0) return
    // Each name once, in the order of first use, as the call will be named after the repair.
    const names = new Set(
      used.map(({ name }) =>
        isLegalName(name, constraint) ? name : (legalName(name ?? '', constraint) ?? 'unknown_tool'),
      ),
    )
    if (names.size === 0) names.add('unknown_tool')
    const declared = dialect.declareTools?.(request, [...names])
    const isThere = declared !== undefined && request[declared.key] !== undefined && request[declared.key] !== null
    const severity = isThere && constraint.emptyOk && !constraint.rejected ? 'warning' : constraint.severity
    const fix = declared ? [{ do: 'set-request', ...declared } as const] : []
    report(isThere ? 'none' : 'undeclared', [], { count: names.size }, fix, { severity })
  },
})

export const explanation: Explanation = {
  summary: 'A request declares tools if its history has tool calls.',
  why: 'A request without tools, such as one for a summary, is rejected if its history has tool calls.',
  repair: 'Repair declares a stub for each tool name in the history, described as not available.',
}
