/** Texts that agents are known to store in place of a result that they do not have. */
export const PLACEHOLDERS = [
  'Tool execution aborted',
  '[Tool execution was interrupted]',
  '[Request interrupted by user for tool use]',
  '[Old tool result content cleared]',
  'Task was interrupted before this tool call could be completed.',
  'Tool execution was interrupted before completion.',
  'result missing',
  'aborted',
  'aborted by user after 5.0s',
  'No result provided',
  'Skipped due to queued user message.',
  '[Operation Cancelled] Reason: User cancelled tool execution.',
  'Tool call search with id call_1 was cancelled - another message came in before it could be completed.',
  '[Tool result missing due to internal error]',
] as const
