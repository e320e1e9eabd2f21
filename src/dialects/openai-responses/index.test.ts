import { describe, expect, test } from 'vitest'
import {
  apply,
  type ConstraintTable,
  causeText,
  type Dialect,
  invert,
  lint,
  type Part,
  repair,
} from '../../core/index.ts'
import { textBlank } from '../../rules/text-blank.ts'
import { toolResultDuplicate } from '../../rules/tool-result-duplicate.ts'
import { toolResultMissing } from '../../rules/tool-result-missing.ts'
import { toolResultOrphan } from '../../rules/tool-result-orphan.ts'
import { openaiResponses as dialect } from './index.ts'

const constraints: ConstraintTable = {
  'tool-result-missing': { evidence: 'documented' },
  'tool-result-orphan': { evidence: 'documented' },
  'tool-result-duplicate': { evidence: 'few-reports' },
  'text-blank': { evidence: 'few-reports' },
}
const target = {
  service: { dialect, constraints },
  rules: [toolResultMissing, toolResultOrphan, toolResultDuplicate, textBlank],
}
const LOST = causeText('lost')

function read(item: unknown, of: Dialect = dialect): { role: string; parts: Part[] } {
  const parts: Part[] = []
  return { role: of.read(item, 3, parts), parts }
}

function only(item: unknown): Part {
  const { parts } = read(item)
  expect(parts).toHaveLength(1)
  return parts[0]!
}

/** Repairs deep-frozen input and checks what every repair promises. */
function repaired(history: readonly unknown[]): readonly unknown[] {
  const before = structuredClone(history)
  const { value: after, patch } = repair(freeze(history), target)
  expect(after).not.toBe(history)
  expect(apply(after, invert(JSON.parse(JSON.stringify(patch))))).toEqual(before)
  expect(lint(after, target)).toEqual([])
  expect(repair(after, target).value).toBe(after)
  return after
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(Object.freeze(value))) freeze(inner)
  return value
}

const user = { role: 'user', content: 'go' }

describe('reads messages', () => {
  test.each([
    ['user', 'user'],
    ['assistant', 'assistant'],
    ['system', 'system'],
    ['developer', 'system'],
    ['critic', 'unknown'],
  ])('role %s is %s', (role, expected) => {
    expect(read({ role, content: 'x' }).role).toBe(expected)
    expect(read({ type: 'message', role, content: [] }).role).toBe(expected)
  })

  test('a string is one text in its place', () => {
    expect(only({ role: 'user', content: 'hi' })).toMatchObject({
      kind: 'text',
      type: 'text',
      message: 3,
      list: ['content'],
      index: -1,
      value: 'hi',
      body: 'hi',
      id: undefined,
    })
  })

  test.each([
    [{ type: 'input_text', text: 'a' }, 'text', 'a'],
    [{ type: 'output_text', text: 'b', annotations: [] }, 'text', 'b'],
    [{ type: 'refusal', refusal: 'no' }, 'text', 'no'],
    [{ type: 'input_image', image_url: 'u' }, 'media', undefined],
    [{ type: 'input_file', file_id: 'f' }, 'media', undefined],
    [{ type: 'not_yet_known' }, 'opaque', undefined],
    [null, 'opaque', undefined],
  ])('part %j is %s', (block, kind, body) => {
    const { parts } = read({ type: 'message', role: 'assistant', content: [{ type: 'input_text', text: '' }, block] })
    expect(parts[1]).toMatchObject({ kind, body, list: ['content'], index: 1 })
    expect(parts[1]!.value).toBe(block)
  })
})

describe('reads calls and outputs', () => {
  test.each([
    [{ type: 'function_call', call_id: 'a', id: 'fc_1', name: 'f', arguments: '{}' }, 'f', '{}'],
    [{ type: 'function_call', callId: 'a', name: 'f', arguments: '{}' }, 'f', '{}'],
    [{ type: 'custom_tool_call', call_id: 'a', name: 'c', input: 'free text' }, 'c', 'free text'],
    [{ type: 'local_shell_call', call_id: 'a', action: { type: 'exec' } }, 'local_shell', { type: 'exec' }],
    [{ type: 'shell_call', call_id: 'a', action: { commands: ['ls'] } }, 'shell', { commands: ['ls'] }],
    [{ type: 'computer_call', call_id: 'a', action: { type: 'wait' } }, 'computer', { type: 'wait' }],
    [{ type: 'computer_call', call_id: 'a', actions: [] }, 'computer', []],
    [{ type: 'apply_patch_call', call_id: 'a', operation: { path: 'x' } }, 'apply_patch', { path: 'x' }],
    [{ type: 'tool_search_call', call_id: 'a', execution: 'client', arguments: {} }, 'tool_search', {}],
  ])('%j is a call', (item, name, body) => {
    expect(read(item).role).toBe('assistant')
    const call = only(item)
    expect(call).toMatchObject({
      kind: 'call',
      type: item.type,
      id: 'a',
      name,
      body,
      list: [],
      index: -1,
      server: false,
    })
    expect(call.value).toBe(item)
  })

  test.each([
    [{ type: 'function_call_output', call_id: 'a', output: 'x' }, 'x', false],
    [{ type: 'custom_tool_call_output', call_id: 'a', output: [] }, [], false],
    [{ type: 'local_shell_call_output', call_id: 'a', id: 'b', output: 'x' }, 'x', false],
    [{ type: 'local_shell_call_output', id: 'a', output: 'x' }, 'x', false],
    [{ type: 'shell_call_output', callId: 'a', output: [] }, [], false],
    [{ type: 'computer_call_output', call_id: 'a', output: {}, status: 'incomplete' }, {}, true],
    [{ type: 'apply_patch_call_output', call_id: 'a', status: 'failed' }, undefined, true],
    [{ type: 'tool_search_output', call_id: 'a', execution: 'client', tools: [] }, [], false],
  ])('%j is a result', (item, body, failed) => {
    expect(read(item).role).toBe('tool')
    expect(only(item)).toMatchObject({ kind: 'result', type: item.type, id: 'a', body, failed, list: [], index: -1 })
  })

  test('an id that is missing, empty or null is undefined', () => {
    for (const call_id of [undefined, '', null, 7]) {
      expect(only({ type: 'function_call', call_id, id: 'fc_1' }).id).toBeUndefined()
      expect(only({ type: 'function_call_output', call_id, id: 'fc_1' }).id).toBeUndefined()
    }
  })

  test.each([
    { type: 'tool_search_call', call_id: null, execution: 'server', arguments: {} },
    { type: 'tool_search_call', call_id: 'tsc_1', execution: 'server', arguments: {} },
    { type: 'tool_search_output', call_id: null, execution: 'server', tools: [] },
    { type: 'tool_search_output', tools: [] },
  ])("%j is the provider's own", (item) => {
    expect(read(item).role).toBe('assistant')
    expect(only(item).server).toBe(true)
  })

  test.each([
    ['web_search_call', 'assistant'],
    ['file_search_call', 'assistant'],
    ['code_interpreter_call', 'assistant'],
    ['image_generation_call', 'assistant'],
    ['mcp_call', 'assistant'],
    ['mcp_list_tools', 'assistant'],
    ['mcp_approval_request', 'assistant'],
    ['mcp_approval_response', 'tool'],
    ['item_reference', 'assistant'],
    ['compaction', 'assistant'],
    ['program', 'assistant'],
    ['program_output', 'assistant'],
    ['some_future_call_output', 'tool'],
  ])('%s is opaque, %s', (type, role) => {
    const item = { type, id: 'x', call_id: 'y' }
    expect(read(item).role).toBe(role)
    expect(only(item)).toMatchObject({ kind: 'opaque', type, list: [], index: -1, id: undefined })
  })

  test('a bare id is a reference, tools for the developer are a system message', () => {
    expect(read({ id: 'msg_1' }).role).toBe('assistant')
    expect(only({ id: 'msg_1' }).type).toBe('item_reference')
    expect(read({ type: 'additional_tools', role: 'developer', tools: [] }).role).toBe('system')
  })

  test('reasoning: text of the summary, else of the content; the encrypted content is its signature', () => {
    const summary = [{ type: 'summary_text', text: 'one' }]
    const item = { type: 'reasoning', id: 'rs_1', summary, encrypted_content: 'gAAA' }
    expect(read(item).role).toBe('assistant')
    expect(only(item)).toMatchObject({
      kind: 'reasoning',
      type: 'reasoning',
      id: undefined,
      body: 'one',
      signature: 'gAAA',
    })
    expect(only({ ...item, summary: [...summary, { text: 'two' }] }).body).toBe('one\ntwo')
    expect(only({ ...item, summary: [], content: [{ type: 'reasoning_text', text: 'raw' }] }).body).toBe('raw')
    expect(only({ type: 'reasoning', summary: [], encrypted_content: null })).toMatchObject({
      body: undefined,
      signature: undefined,
    })
  })

  test('odd input never throws', () => {
    let deep: unknown = []
    for (let i = 0; i < 100_000; i++) deep = [deep]
    const odd = [null, undefined, 7, 'text', [], {}, { type: 5 }, { type: '__proto__' }, { type: 'constructor' }]
    const items = odd.concat([
      { type: 'message' },
      { role: null, content: null },
      { role: 'user', content: { text: 'x' } },
      { role: 'user', content: [undefined, 1, [], {}, { type: {} }, { type: 'input_text' }] },
      { type: 'function_call', name: {}, arguments: deep },
      { type: 'function_call_output', call_id: 'a', output: deep },
      { type: 'reasoning', summary: [null, 3], content: 'x' },
      JSON.parse('{"type":"function_call","__proto__":{"call_id":"a"},"name":"__proto__"}'),
    ])
    for (const item of items) {
      for (const part of read(item).parts) expect(typeof dialect.content(part).text).toBe('string')
      expect(() => dialect.cleanUp(item)).not.toThrow()
    }
    expect(() => repair(items, target)).not.toThrow()
  })
})

describe('answers a call with an output of the same kind', () => {
  test.each([
    [
      { type: 'function_call', call_id: 'a' },
      { type: 'function_call_output', call_id: 'a', output: 'why' },
    ],
    [
      { type: 'function_call', callId: 'a' },
      { type: 'function_call_output', callId: 'a', output: 'why' },
    ],
    [
      { type: 'custom_tool_call', call_id: 'a' },
      { type: 'custom_tool_call_output', call_id: 'a', output: 'why' },
    ],
    [
      { type: 'local_shell_call', call_id: 'a' },
      { type: 'local_shell_call_output', call_id: 'a', output: 'why' },
    ],
    [
      { type: 'shell_call', call_id: 'a', action: { commands: ['ls'], max_output_length: 9 } },
      {
        type: 'shell_call_output',
        call_id: 'a',
        output: [{ stdout: '', stderr: 'why', outcome: { type: 'timeout' } }],
        max_output_length: 9,
      },
    ],
    [
      { type: 'apply_patch_call', call_id: 'a', caller: { type: 'program', caller_id: 'p' } },
      {
        type: 'apply_patch_call_output',
        call_id: 'a',
        status: 'failed',
        output: 'why',
        caller: { type: 'program', caller_id: 'p' },
      },
    ],
    [
      { type: 'tool_search_call', call_id: 'a', execution: 'client' },
      { type: 'tool_search_output', call_id: 'a', execution: 'client', status: 'incomplete', tools: [] },
    ],
  ])('%j', (call, output) => {
    expect(dialect.answer(only(call), 'why')).toEqual(output)
  })

  test('a computer call gets a blank screenshot, no acknowledged checks and no text', () => {
    const output = dialect.answer(
      only({ type: 'computer_call', call_id: 'a', pending_safety_checks: [{ id: 's' }] }),
      'x',
    )
    expect(output).toMatchObject({ type: 'computer_call_output', call_id: 'a', status: 'incomplete' })
    expect(output).not.toHaveProperty('acknowledged_safety_checks')
    expect(output).toHaveProperty('output.image_url', expect.stringMatching(/^data:image\/png;base64,/))
    expect(dialect.content(only(output))).toEqual({ text: '', media: [] })
    expect(only(output).failed).toBe(true)
  })

  test('a synthetic answer is read back as its text', () => {
    for (const type of ['function_call', 'custom_tool_call', 'local_shell_call', 'shell_call', 'apply_patch_call']) {
      expect(dialect.content(only(dialect.answer(only({ type, call_id: 'a' }), LOST))).text).toBe(LOST)
    }
  })
})

describe('writes', () => {
  test('an item holds itself, a prompt and an answer are plain messages', () => {
    const output = { type: 'function_call_output' }
    expect(dialect.wrapResults([output])[0]).toBe(output)
    expect(dialect.textMessage('user', 'hi')).toEqual({ role: 'user', content: 'hi' })
    expect(dialect.textMessage('assistant', 'hi')).toEqual({ role: 'assistant', content: 'hi' })
    const image = { type: 'input_image', image_url: 'u' }
    expect(dialect.textMessage('user', 'hi', [image])).toEqual({
      role: 'user',
      content: [{ type: 'input_text', text: 'hi' }, image],
    })
  })

  test('a rewritten call has the kind that its output answers', () => {
    const of = (type: string) => dialect.call(only({ type, call_id: 'a', execution: 'client' }), 'a', 'f')
    expect(of('function_call_output')).toEqual({ type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' })
    expect(of('custom_tool_call_output')).toEqual({ type: 'custom_tool_call', call_id: 'a', name: 'f', input: '' })
    for (const kind of ['local_shell_call', 'shell_call', 'computer_call', 'apply_patch_call']) {
      expect(of(`${kind}_output`)).toMatchObject({ type: kind, call_id: 'a' })
      expect(of(`${kind}_output`)).not.toHaveProperty('name')
    }
    expect(of('tool_search_output')).toMatchObject({ type: 'tool_search_call', execution: 'client' })
  })

  test('the content of a result, with its media as user parts', () => {
    const image = { type: 'input_image', image_url: 'u' }
    const of = (item: unknown) => dialect.content(only(item))
    expect(of({ type: 'function_call_output', output: 'x' })).toEqual({ text: 'x', media: [] })
    expect(of({ type: 'function_call_output', output: [{ type: 'input_text', text: 'x' }, image] })).toEqual({
      text: 'x',
      media: [image],
    })
    expect(of({ type: 'computer_call_output', output: { type: 'computer_screenshot', file_id: 'f' } }).media).toEqual([
      { type: 'input_image', detail: 'auto', file_id: 'f' },
    ])
    expect(of({ type: 'apply_patch_call_output', status: 'completed' }).text).toBe('completed')
    expect(of({ type: 'tool_search_output', execution: 'client', tools: [{ name: 'f' }] }).text).toBe('[{"name":"f"}]')
    const output = [
      { stdout: 'out', stderr: 'err', outcome: { type: 'exit', exit_code: 2 } },
      { stdout: 'fine', stderr: '', outcome: { type: 'exit', exit_code: 0 } },
      { stdout: '', stderr: '', outcome: { type: 'timeout' } },
    ]
    expect(of({ type: 'shell_call_output', output }).text).toBe('out\nerr\n(exit code 2)\nfine\n(timed out)')
  })

  test.each([
    [{ role: 'user', content: 'a' }, { text: 'b' }, 'b'],
    [{ type: 'function_call', call_id: 'a' }, { id: 'b' }, { type: 'function_call', call_id: 'b' }],
    [{ type: 'function_call', callId: 'a' }, { id: 'b' }, { type: 'function_call', callId: 'b' }],
    [{ type: 'function_call', name: 'a' }, { id: 'b' }, { type: 'function_call', name: 'a', call_id: 'b' }],
    [{ type: 'local_shell_call_output', id: 'a' }, { id: 'b' }, { type: 'local_shell_call_output', call_id: 'b' }],
    [{ type: 'function_call', name: 'a' }, { name: 'b' }, { type: 'function_call', name: 'b' }],
    [{ type: 'shell_call', action: 1 }, { name: 'b' }, { type: 'shell_call', action: 1 }],
    [{ type: 'function_call', arguments: '{' }, { arguments: '{}' }, { type: 'function_call', arguments: '{}' }],
    [{ type: 'custom_tool_call', input: 'a' }, { arguments: 'b' }, { type: 'custom_tool_call', input: 'b' }],
    [{ type: 'shell_call', action: 1 }, { arguments: 2 }, { type: 'shell_call', action: 2 }],
    [{ type: 'function_call_output', output: 1 }, { result: 'b' }, { type: 'function_call_output', output: 'b' }],
    [
      { type: 'shell_call_output', output: [{ stdout: 'long', stderr: '', outcome: { type: 'exit', exit_code: 0 } }] },
      { result: 'b' },
      { type: 'shell_call_output', output: [{ stdout: '', stderr: 'b', outcome: { type: 'exit', exit_code: 0 } }] },
    ],
    [
      { type: 'reasoning', summary: [] },
      { text: 'b' },
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'b' }] },
    ],
  ])('%j with %j', (item, change, after) => {
    const of = only(freeze(item))
    expect(dialect.write(of, of.value, change)).toEqual(after)
  })

  test('text of a part, a refusal under its own key', () => {
    const { parts } = read({
      role: 'assistant',
      content: [
        { type: 'refusal', refusal: 'a' },
        { type: 'output_text', text: 'a' },
      ],
    })
    expect(parts.map((part) => dialect.write(part, part.value, { text: 'b' }))).toEqual([
      { type: 'refusal', refusal: 'b' },
      { type: 'output_text', text: 'b' },
    ])
  })

  test('merges messages: strings stay strings, parts keep the direction of their role', () => {
    const image = { type: 'input_image', image_url: 'u' }
    expect(dialect.merge({ role: 'user', content: 'a' }, { role: 'user', content: 'b' })).toEqual({
      role: 'user',
      content: 'a\n\nb',
    })
    expect(dialect.merge({ role: 'user', content: 'a' }, { role: 'user', content: [image] })).toEqual({
      role: 'user',
      content: [{ type: 'input_text', text: 'a' }, image],
    })
    const reply = { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'a' }] }
    expect(dialect.merge(reply, { role: 'assistant', content: 'b' })).toEqual({
      ...reply,
      content: [...reply.content, { type: 'output_text', text: 'b' }],
    })
    expect(dialect.merge({ role: 'user', content: null }, { role: 'user', content: 'b' })).toEqual({
      role: 'user',
      content: 'b',
    })
    const quoted = dialect.merge(reply, { type: 'function_call', call_id: 'a' })
    expect(JSON.stringify(quoted)).toContain('function_call')
  })

  test('only a message can be left with nothing to say', () => {
    for (const content of ['', [], null, undefined]) expect(dialect.cleanUp({ role: 'user', content })).toBeUndefined()
    for (const item of [
      user,
      { type: 'reasoning', summary: [], content: [] },
      { type: 'function_call_output', output: '' },
    ]) {
      expect(dialect.cleanUp(item)).toBe(item)
    }
  })
})

describe('lint and repair', () => {
  const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'f', arguments: '{}' })
  const output = (id: string, text = 'ok') => ({ type: 'function_call_output', call_id: id, output: text })
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' }

  test('a valid history is unchanged, at any distance between outputs and their calls', () => {
    const history = [
      user,
      reasoning,
      { type: 'web_search_call', id: 'ws_1', status: 'completed' },
      { type: 'tool_search_call', call_id: 'tsc_1', execution: 'server', arguments: {} },
      call('a'),
      call('b'),
      { role: 'assistant', content: 'wait' },
      output('b'),
      user,
      output('a'),
      { type: 'mcp_approval_request', id: 'mcpr_1', name: 'x', arguments: '{}', server_label: 's' },
    ]
    expect(lint(history, target)).toEqual([])
    expect(repair(history, target).value).toBe(history)
  })

  test('open calls of every kind get their output after the answer they came in', () => {
    const kinds = [
      'function_call',
      'custom_tool_call',
      'local_shell_call',
      'shell_call',
      'computer_call',
      'apply_patch_call',
    ]
    const calls = kinds.map((type, i) => ({ type, call_id: `c${i}` }))
    const search = { type: 'tool_search_call', call_id: 's', execution: 'client', arguments: {} }
    const after = repaired([user, reasoning, ...calls, search, user])
    expect(after.map((item) => (item as { type?: string }).type ?? 'prompt')).toEqual([
      'prompt',
      'reasoning',
      ...kinds,
      'tool_search_call',
      ...kinds.map((type) => `${type}_output`),
      'tool_search_output',
      'prompt',
    ])
  })

  test('an orphan becomes a note with its pictures, an empty message goes', () => {
    const image = { type: 'input_image', image_url: 'u' }
    const orphan = {
      type: 'function_call_output',
      call_id: 'gone',
      output: [{ type: 'input_text', text: 'real' }, image],
    }
    const after = repaired([user, orphan, { role: 'assistant', content: [{ type: 'output_text', text: ' ' }] }, user])
    expect(after).toHaveLength(3)
    expect(after[1]).toMatchObject({ role: 'user', content: [{ text: expect.stringContaining('real') }, image] })
  })

  test('a real output beats the blank one that stood for it', () => {
    const shot = {
      type: 'computer_call_output',
      call_id: 'a',
      output: { type: 'computer_screenshot', image_url: 'real' },
    }
    const computer = { type: 'computer_call', call_id: 'a', pending_safety_checks: [] }
    const blank = dialect.answer(only(computer), LOST)
    expect(repaired([user, computer, blank, shot, user])).toEqual([user, computer, shot, user])
    const shell = { type: 'shell_call', call_id: 'a', action: { commands: ['ls'] } }
    const real = {
      type: 'shell_call_output',
      call_id: 'a',
      output: [{ stdout: 'x', stderr: '', outcome: { type: 'exit' } }],
    }
    expect(repaired([user, shell, dialect.answer(only(shell), LOST), real])).toEqual([user, shell, real])
  })
})
