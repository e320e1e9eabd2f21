import type { Agent, RunResult } from './types.ts'
export function report(
  _agents: readonly Agent[],
  runs: readonly RunResult[],
  _missing: Record<string, string>,
): string {
  return JSON.stringify(runs.length)
}
