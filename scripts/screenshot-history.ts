/**
 * The history in the screenshots: an agent was stopped between two parallel calls, and an old result was left over.
 */
const use = (id: string, name: string, input: unknown) => ({ type: 'tool_use', id, name, input })
const result = (id: string, content: string) => ({ type: 'tool_result', tool_use_id: id, content })
const text = (words: string) => ({ type: 'text', text: words })

export function brokenHistory(): unknown {
  const messages: unknown[] = [
    { role: 'user', content: 'The login test fails on CI since yesterday. Find out why and fix it.' },
    {
      role: 'assistant',
      content: [
        text('I will look at the failing test and the recent commits.'),
        use('toolu_01HxLog7c2', 'Bash', { command: 'git log --oneline -3' }),
        use('toolu_01HxRead9d', 'Read', { file_path: 'test/login.test.ts' }),
      ],
    },
    {
      role: 'user',
      content: [
        result(
          'toolu_01HxLog7c2',
          '9f2c1ab Move session cookie to SameSite=Strict\n41d0aa2 Bump dependencies\n77b1e09 Login page: remember me',
        ),
        result(
          'toolu_01HxRead9d',
          Array.from({ length: 60 }, (_, i) => `${i + 1}\tawait page.goto('/login?case=${i}')`).join('\n'),
        ),
      ],
    },
    {
      role: 'assistant',
      content: [
        text(
          'With SameSite=Strict the redirect from the identity provider arrives without a session. I change it to Lax.',
        ),
        use('toolu_02Edit41aa', 'Edit', {
          file_path: 'src/session.ts',
          old_string: "sameSite: 'strict'",
          new_string: "sameSite: 'lax'",
        }),
        use('toolu_02Test77b1', 'Bash', { command: 'npm test -- login' }),
      ],
    },
    { role: 'user', content: [result('toolu_02Edit41aa', 'The file was updated.')] },
    { role: 'user', content: 'I had to stop you. Did the tests pass?' },
    { role: 'assistant', content: [text('I run them again.'), use('toolu_03Again', 'Bash', { command: 'npm test' })] },
    {
      role: 'user',
      content: [
        result('toolu_03Again', 'Tests  41 passed (41)'),
        result('toolu_99Gone', 'left over from an earlier run'),
      ],
    },
    { role: 'assistant', content: 'All 41 tests pass.' },
    { role: 'user', content: 'Good. Now look for the same mistake elsewhere.' },
  ]
  for (let i = 0; i < 18; i++) {
    messages.push({
      role: 'assistant',
      content: [text(`Reading part ${i + 1}.`), use(`toolu_r${i}`, i % 3 ? 'Read' : 'Grep', { path: `src/part-${i}` })],
    })
    messages.push({
      role: 'user',
      content: [result(`toolu_r${i}`, 'const value = read(source)\n'.repeat(8 + ((i * 37) % 160)))],
    })
    if (i % 5 === 4)
      messages.push({ role: 'assistant', content: 'This part is clean.' }, { role: 'user', content: 'Go on.' })
  }
  return { model: 'claude-sonnet-4-5', max_tokens: 1024, messages }
}
