/** Calls that were cut off, or written by a program that does not know the dialect. */
import { corruption } from './types.ts'

export const calls = [
  corruption(
    'partial-json-arguments',
    'The stream ended inside the arguments; what had arrived was stored as text.',
    'anthropics/claude-code#6696',
    (draft) =>
      draft.changeBody('call', (holder, key) => {
        holder[key] = '{"path":"src/components/Button.tsx","content":"export function Button() {\\n  return <bu'
      }),
  ),
  corruption(
    'arguments-under-other-key',
    'The arguments are an object under a key of another SDK: args, parameters, arguments or input.',
    'aaif-goose/goose-mobile#20',
    (draft) =>
      draft.changeBody('call', (holder, key) => {
        const other = draft.random.pick(['args', 'parameters', 'arguments', 'input'].filter((name) => name !== key))
        if (other in holder) return false
        delete holder[key]
        holder[other] = { path: 'docs/a-file-with-a-long-name.md', lines: [1, 20] }
      }),
  ),
  corruption(
    'arguments-of-other-kind',
    'Arguments are an object where a text is wanted, or JSON text where an object is wanted; or null, or a list.',
    'anthropics/anthropic-sdk-typescript#648',
    (draft) =>
      draft.changeBody('call', (holder, key) => {
        const was = holder[key]
        const other = typeof was === 'string' ? { query: 'where is the configuration read?' } : JSON.stringify(was)
        holder[key] = draft.random.pick([other, other, null, ['first positional argument', 2]])
      }),
  ),
  corruption(
    'illegal-tool-name',
    'A name from an MCP server or an invented one: dots, slashes, blanks, too long, or empty.',
    'continuedev/continue#11645',
    (draft) =>
      draft.changePart('call', (part) => {
        const name = draft.random.pick(['mcp.files/read file', `mcp__${'server_'.repeat(40)}tool`, '', 'größe'])
        draft.write(part, { name })
        for (const result of draft.parts('result'))
          if (result.id === part.id && result.name !== undefined && name !== '') draft.write(result, { name })
      }),
  ),
  corruption('result-name-lost', 'A result does not name its tool any more.', 'langflow-ai/langflow#9437', (draft) => {
    const named = draft.parts('result').filter(({ name }) => name !== undefined)
    for (const part of named) draft.write(part, { name: '' })
    return named.length > 0
  }),
  corruption(
    'type-lost',
    'A call or a result lost its type when it was stored.',
    'openai/openai-agents-python#1855',
    (draft) => {
      const typed = draft
        .parts()
        .filter(
          ({ kind, value, server }) =>
            !server && (kind === 'call' || kind === 'result') && typeof value === 'object' && 'type' in value!,
        )
      if (typed.length === 0) return false
      delete (draft.random.pick(typed).value as { type?: unknown }).type
      return true
    },
  ),
  corruption(
    'call-broken-off',
    'The stream ended when the call had an id and nothing else yet.',
    'aliasrobotics/cai#111',
    (draft) => {
      const at = draft.rounds().at(-1)
      if (at === undefined) return false
      draft.messages.splice(draft.lastOfAnswer(at) + 1)
      const part = draft.parts('call').at(-1)!
      const found = draft.holderOf(part)
      if (found) found.holder[found.key] = typeof part.body === 'string' ? '' : {}
      return true
    },
  ),
] as const
