import type { Table } from '../table.ts'
import { assistant, call, hi, list, result, says, user } from './blocks.ts'

const MISSING = (i: number, ids: string) =>
  `messages.${i}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
const ORPHAN = (at: string, id: string) =>
  `${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`

export const anthropicPairing: Table = {
  to: { provider: 'anthropic' },
  accepted: {
    'a call and its result': list(hi, assistant(call('IDa')), user(result('IDa'))),
    'text after the results': list(hi, assistant(call('IDa')), user(result('IDa'), says('and?'))),
    'results in any order over two user messages': list(
      hi,
      assistant(call('IDa'), call('IDb')),
      user(result('IDb')),
      user(result('IDa')),
    ),
    'two assistant turns answered together': list(
      hi,
      assistant(call('IDa')),
      assistant(call('IDb')),
      user(result('IDa'), result('IDb')),
    ),
    'a call that the provider runs, without its result': list(
      hi,
      assistant({ type: 'server_tool_use', id: 'srvtoolu_IDa', name: 'web_search', input: {} }),
    ),
  },
  rejected: {
    'no result': [list(hi, assistant(call('IDa'), call('IDb')), hi), 'tool-result-missing', MISSING(1, 'IDa, IDb')],
    'one of two': [
      list(hi, assistant(call('IDa'), call('IDb')), user(result('IDa'))),
      'tool-result-missing',
      MISSING(1, 'IDb'),
    ],
    'calls at the end': [list(hi, assistant(call('IDa'))), 'tool-result-missing', MISSING(1, 'IDa')],
    'text before the result': [
      list(hi, assistant(call('IDa')), user(says('note'), result('IDa'))),
      'tool-result-not-adjacent',
      MISSING(1, 'IDa'),
    ],
    'a prompt between': [
      list(hi, assistant(call('IDa')), { role: 'user', content: 'well?' }, user(result('IDa'))),
      'tool-result-not-adjacent',
      MISSING(1, 'IDa'),
    ],
    'a result of nothing': [list(user(result('IDa'))), 'tool-result-orphan', ORPHAN('messages.0.content.0', 'IDa')],
    'a result of another call': [
      list(hi, assistant(call('IDa')), user(result('IDx'))),
      'tool-result-orphan',
      ORPHAN('messages.2.content.0', 'IDx'),
    ],
    'two results': [
      list(hi, assistant(call('IDa')), user(result('IDa'), result('IDa'))),
      'tool-result-duplicate',
      'messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: IDa',
    ],
    'one id on two calls': [
      list(hi, assistant(call('IDa'), call('IDa')), user(result('IDa'))),
      'tool-call-id-duplicate',
      'messages.1.content.1: `tool_use` ids must be unique',
    ],
    'a result of a tool that the provider runs, alone': [
      list(hi, assistant({ type: 'advisor_tool_result', tool_use_id: 'srvtoolu_IDa', content: {} }), hi),
      'server-tool-result-orphan',
      'messages.1.content.0: unexpected `tool_use_id` found in `advisor_tool_result` blocks: srvtoolu_IDa. Each `advisor_tool_result` block must have a corresponding `server_tool_use` block before it.',
    ],
  },
}
