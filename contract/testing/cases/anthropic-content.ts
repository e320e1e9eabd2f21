import type { Table } from '../table.ts'
import { assistant, call, hi, list, on, result, says, thinks, user } from './blocks.ts'

const PREFILL = 'This model does not support assistant message prefill. The conversation must end with a user message.'
const BLANK = 'messages: text content blocks must contain non-whitespace text'
const SYSTEM =
  'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.'
const cached = (ttl?: string) => ({ cache_control: ttl ? { type: 'ephemeral', ttl } : { type: 'ephemeral' } })

export const anthropicContent: Table = {
  to: { provider: 'anthropic' },
  accepted: {
    'an empty assistant string': list(hi, { role: 'assistant', content: '' }, hi),
    'no assistant blocks': list(hi, assistant(), hi),
    'two user turns': list(hi, hi),
    'an assistant last, model not named': list(hi, assistant(says('Well'))),
    'an assistant last, before 4.6': on('claude-sonnet-4-5@20250929', hi, assistant(says('Well'))),
    'one space, before 4.6': on('claude-haiku-4-5-20251001', hi, assistant(says(' ')), hi),
    'a system message, model not named': list(hi, { role: 'system', content: 'now' }),
    'a system message last, 4.8': on('claude-opus-4-8', hi, { role: 'system', content: 'now' }),
    'four breakpoints': { ...list(user(says('a', cached()))), system: [1, 2, 3].map(() => says('s', cached('1h'))) },
    'thinking first': {
      thinking: { type: 'enabled', budget_tokens: 1024 },
      messages: [hi, assistant(thinks, call('IDa')), user(result('IDa'))],
    },
    'adaptive thinking left out': {
      thinking: { type: 'adaptive' },
      messages: [hi, assistant(call('IDa')), user(result('IDa'))],
    },
  },
  rejected: {
    'assistant first': [
      list(assistant(says('hi')), hi),
      'first-not-user',
      'messages: first message must use the "user" role',
    ],
    'an empty user string': [
      list({ role: 'user', content: '' }),
      'content-empty',
      'messages.0: all messages must have non-empty content except for the optional final assistant message',
    ],
    'an empty text': [
      list(hi, assistant(says('')), hi),
      'content-empty',
      'messages: text content blocks must be non-empty',
    ],
    'a blank text': [list(hi, assistant(says('\n\n')), hi), 'text-blank', BLANK],
    'one space, 4.6': [on('claude-sonnet-4-6', hi, assistant(says(' ')), hi), 'text-blank', BLANK],
    'an assistant last, 4.6': [on('claude-opus-4-6', hi, assistant(says('Well'))), 'last-assistant-prefill', PREFILL],
    'an assistant last, 5.1': [
      on('us.anthropic.claude-fable-5-1-v1:0', hi, assistant(says('Well'))),
      'last-assistant-prefill',
      PREFILL,
    ],
    'white space at the end': [
      list(hi, assistant(says('Well '))),
      'trailing-whitespace',
      'messages: final assistant content cannot end with trailing whitespace',
    ],
    'a system message, before 4.6': [
      on('claude-sonnet-4-5', hi, { role: 'system', content: 'x' }),
      'role-unknown',
      SYSTEM,
    ],
    'a system message before a user, 4.8': [
      on('claude-opus-4-8', hi, { role: 'system', content: 'x' }, hi),
      'system-message-position',
      'messages.1: a "system" message must not directly precede a "user" message',
    ],
    'no thinking before the last calls': [
      {
        thinking: { type: 'enabled', budget_tokens: 1024 },
        messages: [hi, assistant(says('I look'), call('IDa')), user(result('IDa'))],
      },
      'thinking-block-missing-before-tool-use',
      'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking',
    ],
    'five breakpoints over tools, system and messages': [
      {
        tools: [{ name: 'look', ...cached() }],
        system: [says('s', cached())],
        messages: [user(says('a', cached()), says('b', cached()), says('c', cached()))],
      },
      'cache-control-too-many',
      'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    ],
    'a breakpoint on an empty text': [
      list(user(says('', cached()))),
      'cache-control-on-empty-text',
      'messages.0.content.0.text: cache_control cannot be set for empty text blocks',
    ],
    'a breakpoint on thinking': [
      list(hi, assistant({ ...thinks, ...cached() }, says('ok')), hi),
      'cache-control-on-thinking',
      'messages.1.content.0.thinking.cache_control: Extra inputs are not permitted',
    ],
    'an hour after five minutes': [
      { ...list(user(says('a', cached('1h')))), system: [says('s', cached())] },
      'cache-control-ttl-order',
      "messages.0.content.0.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block.",
    ],
  },
}
