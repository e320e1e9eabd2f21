/**
 * Texts that agents and frameworks store in place of a missing result, collected from their public source.
 * Matched as a whole: real output may quote them. A decision of the user ("denied") is a result and not listed.
 */

const exact: ReadonlySet<string> = new Set([
  // Claude Code
  '[Tool result missing due to internal error]',
  '[Tool use interrupted]',
  '[Request interrupted by user]',
  '[Request interrupted by user for tool use]',
  'Interrupted by user',
  // Claude Code, opencode, Qwen Code: cleared by compaction
  '[Old tool result content cleared]',
  // opencode
  'Tool execution aborted',
  '[Tool execution was interrupted]',
  // Cline, Roo Code
  'Task was interrupted before this tool call could be completed.',
  'Tool execution was interrupted before completion.',
  'Tool execution was interrupted before completion. Please retry.',
  'result missing',
  // Codex
  'aborted',
  // pi
  'No result provided',
  'Skipped due to queued user message.',
  // Gemini CLI, Qwen Code
  '[Operation Cancelled] Reason: User cancelled tool execution.',
  // AI SDK applications, gateways and others
  'Tool execution interrupted by user',
  'Tool execution interrupted. No result provided.',
  'Tool call interrupted or cancelled',
  '[Error: tool result missing]',
  '[Aborted by user]',
  '[tool execution interrupted]',
  '[tool execution not recorded]',
  '[Tool call was interrupted and did not return a result.]',
])

/** Longer texts are real output: none of these sentences is longer. */
const LONGEST = 500

const patterns: readonly RegExp[] = [
  // Codex: how long the tool had run.
  /^aborted by user after \d{1,9}(?:\.\d)?s$/,
  /^Wall time: \d{1,9}(?:\.\d)? seconds\naborted by user$/,
  // LangChain's deep agents: name and id of the call.
  /^Tool call [^\n]{1,300} was cancelled - another message came in before it could be completed\.$/,
]

export function isForeignPlaceholder(text: string): boolean {
  if (exact.has(text)) return true
  return text.length <= LONGEST && patterns.some((pattern) => pattern.test(text))
}
