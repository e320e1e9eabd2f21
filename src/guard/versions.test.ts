import { expect, it } from 'vitest'
import { unknownVersions } from './versions.ts'

it.each<[Record<string, string>, object]>([
  [{ 'anthropic-version': '2023-06-01' }, {}],
  [{ 'Anthropic-Beta': 'context-1m-2027-08-07, interleaved-thinking-2025-05-14' }, {}],
  [{ 'openai-beta': 'responses=v1' }, {}],
  [{}, { anthropic_version: 'bedrock-2023-05-31', anthropic_beta: ['computer-use-2025-01-24'] }],
  [{}, { betas: ['message-threads-2026-08-12'] }],
  [
    {
      'x-goog-api-client': 'genai-js/9.9',
      'openai-organization': 'org_1',
      'user-agent': 'x',
      'x-stainless-lang': 'js',
    },
    {},
  ],
])('all is known of %j %j', (headers, body) => {
  expect(unknownVersions(headers, { ...body })).toEqual([])
})

it.each<[Record<string, string>, object, readonly string[]]>([
  [{ 'Anthropic-Version': '2031-01-01' }, {}, ['"2031-01-01" of `anthropic-version`']],
  [
    { 'anthropic-beta': 'effort-2025-11-24,holo-blocks-2031-02-02' },
    {},
    ['"holo-blocks-2031-02-02" of `anthropic-beta`'],
  ],
  // The beta of threads is known with one date.
  [{ 'anthropic-beta': 'message-threads-2027-01-01' }, {}, ['"message-threads-2027-01-01" of `anthropic-beta`']],
  [{ 'x-goog-api-revision': '2027-02-02' }, {}, ['"2027-02-02" of `x-goog-api-revision`']],
  [{ 'mistral-preview': 'loops' }, {}, ['"loops" of `mistral-preview`']],
  [{}, { anthropic_beta: ['holo-2031-02-02'] }, ['"holo-2031-02-02" of `anthropic_beta`']],
])('not known: %j %j', (headers, body, unknown) => {
  expect(unknownVersions(headers, { ...body })).toEqual(unknown)
})
