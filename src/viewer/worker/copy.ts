/** The open conversation as a request body, a cURL command or a test case. */
import { type LintOptions, lint } from '../../index.ts'
import { named } from '../../target.ts'
import type { CopyFormat } from './protocol.ts'
import type { View } from './view.ts'

const URLS: Readonly<Record<string, readonly [string, string]>> = {
  'anthropic-messages': [
    'https://api.anthropic.com/v1/messages',
    `-H "x-api-key: $ANTHROPIC_API_KEY" -H "anthropic-version: 2023-06-01"`,
  ],
  'openai-chat': ['https://api.openai.com/v1/chat/completions', `-H "authorization: Bearer $OPENAI_API_KEY"`],
  'openai-responses': ['https://api.openai.com/v1/responses', `-H "authorization: Bearer $OPENAI_API_KEY"`],
  gemini: [
    'https://generativelanguage.googleapis.com/v1beta/models/MODEL:generateContent',
    `-H "x-goog-api-key: $GEMINI_API_KEY"`,
  ],
}

function requestOf(view: View): Record<string, unknown> {
  const { conversation, model, sent } = view
  const { key, id } = conversation.dialect
  const extra = id === 'anthropic-messages' ? { max_tokens: 1024 } : {}
  return { ...(model && id !== 'gemini' ? { model } : {}), ...extra, ...conversation.body, [key]: sent.list }
}

export function copyOf(view: View, as: CopyFormat): string {
  const body = requestOf(view)
  if (as === 'request') return JSON.stringify(body, null, 2)
  if (as === 'test') return testOf(view)
  const [url, headers] = URLS[view.conversation.dialect.id] ?? [
    'https://PROVIDER/PATH',
    '-H "authorization: Bearer $API_KEY"',
  ]
  const quoted = JSON.stringify(body).replaceAll("'", `'\\''`)
  return `curl ${url.replace('MODEL', view.model ?? 'MODEL')} \\\n  ${headers} -H "content-type: application/json" \\\n  -d '${quoted}'`
}

/** A test with the current findings of the stored history. */
function testOf(view: View): string {
  const { provider, model, conversation } = view
  const target = named<LintOptions>({ provider, model })
  const rules = [...new Set(lint(conversation.next, target).map(({ rule }) => rule))].sort()
  const options = JSON.stringify(target)
  return `import { lint, repair } from 'suture'
import { expect, it } from 'vitest'

const history = ${JSON.stringify(conversation.next, null, 2)}

it('is repaired', () => {
  const rules = lint(history, ${options}).map(({ rule }) => rule)
  expect([...new Set(rules)].sort()).toEqual(${JSON.stringify(rules)})
  expect(repair(history, ${options}).remaining.filter(({ severity }) => severity === 'error')).toEqual([])
})
`
}
