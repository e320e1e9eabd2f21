/** The tools of the MCP server as clients see them. */
const session = { type: 'string', description: 'Path of a session file, or the beginning of its session id' } as const

export const tools = [
  {
    name: 'doctor',
    description:
      'Checks agent sessions (Claude Code, Codex and others) for damage that makes requests fail or turns disappear. Reads only. Without `session`: all sessions of the project.',
    inputSchema: { type: 'object' as const, properties: { session } },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'explain',
    description: 'Explains the error text of a provider, or a rule id, and what repairs it.',
    inputSchema: {
      type: 'object' as const,
      properties: { text: { type: 'string', description: 'An error text or a rule such as tool-result-missing' } },
      required: ['text'],
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'show',
    description: 'The structure of a session: turns, rounds, calls, findings. Without conversation text. Reads only.',
    inputSchema: { type: 'object' as const, properties: { session }, required: ['session'] },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'plan_repair',
    description: 'Plans the repair of a session without writing. Returns the changes and the fingerprint of the plan.',
    inputSchema: { type: 'object' as const, properties: { session }, required: ['session'] },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'apply_repair',
    description:
      'Makes exactly the repair of a plan, with a backup. Fails if the session is live or has changed. Ask the user first.',
    inputSchema: {
      type: 'object' as const,
      properties: { session, plan: { type: 'string', description: 'The fingerprint that plan_repair returned' } },
      required: ['session', 'plan'],
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  },
] as const
