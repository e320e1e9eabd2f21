/** Histories that the tests of the viewer open. */

/** A call without its result, and a result without its call. */
export const broken = {
  model: 'claude-sonnet-4-5',
  max_tokens: 100,
  messages: [
    { role: 'user', content: 'Why does the login test fail?' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'toolu_a', name: 'Read', input: { path: 'a' } },
        { type: 'tool_use', id: 'toolu_b', name: 'Bash', input: { command: 'npm test' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_a', content: 'the file' }] },
    { role: 'user', content: 'Did it pass?' },
    { role: 'assistant', content: 'Yes.' },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_gone', content: 'left over' }] },
  ],
}

/** A Claude Code session whose last call has no result and whose last line is torn. */
export function claudeCode(): string {
  const base = {
    sessionId: '5f3c0d5e-0000-4000-8000-000000000001',
    version: '2.1.0',
    cwd: '/repo',
    isSidechain: false,
    userType: 'external',
  }
  const record = (uuid: string, parentUuid: string | null, type: string, message: unknown) =>
    JSON.stringify({ parentUuid, ...base, type, message, uuid, timestamp: '2026-05-01T10:00:00.000Z' })
  const reply = (id: string, content: unknown) => ({
    id,
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content,
    stop_reason: 'tool_use',
    usage: { input_tokens: 900, output_tokens: 40 },
  })
  return [
    record('u1', null, 'user', { role: 'user', content: 'Fix the test.' }),
    record(
      'a1',
      'u1',
      'assistant',
      reply('msg_1', [{ type: 'tool_use', id: 'toolu_1', name: 'Read', input: { path: 'a' } }]),
    ),
    record('u2', 'a1', 'user', {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }],
    }),
    record('u3', 'u2', 'user', {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_gone', content: 'of no call' }],
    }),
    record('u4', 'u3', 'user', { role: 'user', content: 'Go on.' }),
    '{"parentUuid":"u4","type":"assist',
  ].join('\n')
}
