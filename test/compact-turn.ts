/**
 * A turn with one call, by its number: what is compacted in tests, here and in a process of its own.
 */
export const turn = (n: number) => [
  { role: 'user', content: `question ${n}` },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: `c${n}`, type: 'function', function: { name: 'read', arguments: `{"path":"src/${n}.ts"}` } }],
  },
  { role: 'tool', tool_call_id: `c${n}`, content: `line of file ${n}. `.repeat(40) },
  { role: 'assistant', content: `answer ${n}` },
]
