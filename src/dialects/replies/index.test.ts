import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../../test/long-runs.ts'
import type { Frame } from '../../core/reply.ts'
import { replies } from './index.ts'

const SEED = 20261119

/** Values with words of the wire shapes in wrong places. */
const word = fc.constantFrom(
  ...[
    'choices',
    'delta',
    'message',
    'tool_calls',
    'function',
    'arguments',
    'index',
    'id',
    'name',
    'content',
    'error',
    'usage',
  ],
  ...[
    'type',
    'content_block_start',
    'content_block_delta',
    'content_block_stop',
    'message_stop',
    'content_block',
    'partial_json',
    'input_json_delta',
  ],
  ...[
    'text_delta',
    'text',
    'citations_delta',
    'tool_use',
    'thinking',
    'input',
    'bytes',
    'chunk',
    'item',
    'response',
    'output',
    'output_index',
    'response.completed',
  ],
  ...[
    'response.output_item.done',
    'response.output_text.delta',
    'function_call',
    'candidates',
    'parts',
    'finishReason',
    'functionCall',
    'STOP',
    'contentBlockIndex',
  ],
  ...[
    'contentBlockDelta',
    'contentBlockStart',
    'start',
    'toolUse',
    'toolResult',
    'reasoningContent',
    'citation',
    'messageStop',
    '__proto__',
    'constructor',
    'finish_reason',
  ],
)
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6 },
    word,
    fc.constantFrom(null, true, 0, -1, 1e9, '', '{"a":1}'),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.array(fc.tuple(word, tie('tree')), { maxLength: 4 }).map((entries) => JSON.parse(textOf(entries))),
  ),
}))
const frame: fc.Arbitrary<Frame> = fc.record(
  {
    data: fc.oneof(
      tree.map((value) => JSON.stringify(value)),
      fc.string(),
      fc.constantFrom('[DONE]', '', '{'),
    ),
    event: word,
    kind: fc.constantFrom('exception' as const, 'bare' as const, 'broken' as const),
  },
  { requiredKeys: ['data'] },
)

describe.each(Object.entries(replies))('%s', (dialect, form) => {
  it('is named by its dialect', () => expect(form.dialect).toBe(dialect))

  it('never throws, never runs what did not end, and leaves prototypes alone', () => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 12 }), tree, (frames, body) => {
        const assembler = form.stream()
        for (const one of frames) assembler.push(one)
        for (const reply of [assembler.end(), form.json(body)]) {
          expect(reply.complete).toBe(reply.why === undefined)
          if (!reply.complete) expect(reply.calls).toEqual([])
          for (const call of reply.calls)
            expect([typeof call.id, typeof call.name, call.name === '']).toEqual(['string', 'string', false])
          JSON.stringify(reply)
        }
        expect(Object.keys(Object.prototype)).toEqual([])
      }),
      { seed: SEED, numRuns: runsOf(250, 800) },
    )
  })

  it('returns nothing without a stream', () => {
    expect(form.stream().end()).toEqual({ messages: [], complete: false, why: 'cut', calls: [], broken: [] })
    expect(form.json(null)).toEqual({ messages: [], complete: false, why: 'malformed', calls: [], broken: [] })
  })
})

function textOf(entries: readonly (readonly [string, unknown])[]): string {
  return `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`
}
