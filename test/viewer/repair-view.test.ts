/** What the page says about a repair: quotes of the provider, the preview, the edits, and one count of tokens. */
import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { editsOf } from '../../src/viewer/worker/edits-view.ts'
import { loadRuleWords } from '../../src/viewer/worker/findings.ts'
import { planOf } from '../../src/viewer/worker/plan-view.ts'
import { Rows } from '../../src/viewer/worker/rows.ts'
import { openFile } from '../../src/viewer/worker/session-file.ts'
import { tokensOf } from '../../src/viewer/worker/token-view.ts'
import { viewOf } from '../../src/viewer/worker/view.ts'
import { broken, claudeCode } from './samples.ts'

interface Section {
  readonly id: string
  readonly rows: readonly { readonly rule: string; readonly texts: readonly string[] }[]
}

vi.mock('../../src/viewer/worker/rule-words.ts', () => {
  const file = new URL('../../docs/data/rejections.json', import.meta.url)
  const { sections } = JSON.parse(readFileSync(file, 'utf8')) as { readonly sections: readonly Section[] }
  const words: Record<string, unknown[]> = {}
  for (const { id, rows } of sections)
    for (const { rule, texts } of rows)
      for (const text of texts.slice(0, 1)) words[rule] = [...(words[rule] ?? []), { of: id, by: id, text }]
  return { ruleWords: words }
})

const named = (value: unknown) => openFile('x.json', Buffer.from(JSON.stringify(value)))
const session = () => openFile('5f3c0d5e-0000-4000-8000-000000000001.jsonl', Buffer.from(claudeCode()))
const chat = [
  { role: 'user', content: 'hi' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
  },
  { role: 'user', content: 'and?' },
]

describe('quotes', () => {
  it.each([
    ['openai', ['openai', 'openai-responses']],
    ['azure', ['openai']],
    ['mistral', ['mistral']],
    ['deepseek', ['deepseek']],
    ['vllm', ['local']],
    ['groq', ['groq']],
    ['anthropic', ['anthropic']],
  ])('%s: no text of another provider', async (provider, own) => {
    await loadRuleWords()
    const view = viewOf(await named(chat), { conversation: 'main', provider, repaired: false })
    const findings = new Rows(view).findings.filter(({ kind }) => kind === 'provider')
    expect(findings.length).toBeGreaterThan(0)
    for (const { words } of findings) expect(own).toEqual(expect.arrayContaining(words.map(({ of }) => of)))
  })

  it('of the provider itself where it has one, and of the maker of the model for a host', async () => {
    await loadRuleWords()
    const quoted = async (value: unknown, provider: string) =>
      new Rows(viewOf(await named(value), { conversation: 'main', provider, repaired: false })).findings
        .filter(({ rule }) => rule === 'tool-result-missing')
        .map(({ words }) => words[0]?.of)
    expect(await quoted(chat, 'openai')).toEqual(['openai'])
    expect(await quoted(chat, 'mistral')).toEqual(['mistral'])
    expect(await quoted(broken, 'anthropic')).toEqual(['anthropic'])
    expect(await quoted(broken.messages, 'vertex')).toEqual(['anthropic'])
  })
})

describe('preview', () => {
  it.each([
    ['a history', () => named(broken)],
    ['a session file', session],
  ])('%s has the findings after the repair, and none of the errors before it', async (_, open) => {
    const document = await open()
    const errors = (repaired: boolean) =>
      new Rows(viewOf(document, { conversation: 'main', repaired })).findings.filter(
        ({ severity }) => severity === 'error',
      )
    expect(errors(false).length).toBeGreaterThan(0)
    expect(errors(true)).toEqual([])
  })

  it('an error that stays is shown at its message of the repaired history', async () => {
    const messages = [...broken.messages, { role: 'user', content: 'word '.repeat(1_200_000) }]
    const view = viewOf(await named({ ...broken, messages }), { conversation: 'main', repaired: true })
    const { findings } = new Rows(view)
    expect(findings.map(({ rule }) => rule)).toContain('larger-than-window')
    expect(findings.map(({ rule }) => rule)).not.toContain('tool-result-missing')
  })
})

describe('edits', () => {
  async function edits(open: () => ReturnType<typeof openFile>) {
    const document = await open()
    const [view, repaired] = [false, true].map((one) => viewOf(document, { conversation: 'main', repaired: one }))
    return { view: view!, repaired: repaired!, ...editsOf(view!, repaired!, 50) }
  }

  it('one for each message, in words, with its place in the shown thread', async () => {
    const { view, total, edits: all } = await edits(() => named(broken))
    expect(total).toBe(all.length)
    for (const { place, what, row, difference } of all) {
      expect(place).toMatch(/^(after )?#\d+$/)
      expect(what).toMatch(/^(user|assistant|tool|system) message (changed|added|removed|moved)$/)
      expect(row).toBeLessThan(view.lines.length)
      const text = difference.map(([, one]) => one).join('')
      expect(text).not.toMatch(/"tool_use_id"|"type":/)
      expect(difference.some(([kind]) => kind !== '=')).toBe(true)
    }
  })

  it('an id that is changed is shown as JSON, since the text of the message is the same', async () => {
    const id = 'x'.repeat(80)
    const call = { id, type: 'function', function: { name: 'f', arguments: '{}' } }
    const { edits: all } = await edits(() =>
      named({
        model: 'gpt-4.1',
        messages: [
          chat[0],
          { ...chat[1], tool_calls: [call] },
          { role: 'tool', tool_call_id: id, content: 'ok' },
          chat[2],
        ],
      }),
    )
    expect(all.map(({ place }) => place)).toEqual(['#1', '#2'])
    for (const { difference } of all) expect(difference.find(([kind]) => kind === '-')?.[1]).toContain('xxx')
  })

  it('of a session file with the reasons; a record without a message has its line', async () => {
    const { edits: all } = await edits(session)
    const of = (place: string) => all.find((one) => one.place === place)?.what ?? ''
    expect(of('line 3')).toMatch(/^user message changed: .*tool-result-orphan/)
    for (const { what } of all) expect(what).toMatch(/ message (changed|added|removed|moved)|^record: /)
  })

  it('a key beside the history is named', async () => {
    const messages = [{ role: 'system', content: 'Be brief.' }, ...broken.messages]
    const { edits: all } = await edits(() => named({ ...broken, messages }))
    expect(all).toContainEqual(expect.objectContaining({ place: '/system', what: 'request changed', row: -1 }))
  })
})

describe('tokens', () => {
  const tools = [{ name: 'Read', description: 'Reads a file. '.repeat(40), input_schema: { type: 'object' } }]

  it.each([
    ['a list', broken.messages],
    ['a body with instructions and tools', { ...broken, system: 'Be brief. '.repeat(50), tools }],
    ['other spellings of the keys', { ...broken, system: [{ type: 'text', text: 'Be brief.' }], tools }],
  ])('%s: toolbar, panel and plan have one count', async (_, value) => {
    const view = viewOf(await named(value), { conversation: 'main', repaired: false })
    const { total } = new Rows(view).overview()
    expect(tokensOf(view).total).toBe(total)
    expect(planOf(view, false).tokens.before).toBe(total)
    const { categories, turns } = tokensOf(view)
    expect(categories.reduce((sum, one) => sum + one, 0)).toBe(total)
    expect(turns.reduce((sum, one) => sum + one.tokens, 0)).toBe(total)
  })

  it('a history over the window is an error with that count', async () => {
    const value = {
      ...broken,
      system: 'word '.repeat(900_000),
      messages: [{ role: 'user', content: 'word '.repeat(900_000) }],
    }
    const rows = new Rows(viewOf(await named(value), { conversation: 'main', repaired: false }))
    const { total, window, findings, verdict } = rows.overview()
    expect(total).toBeGreaterThan(window)
    const found = findings.find(({ rule }) => rule === 'larger-than-window')
    expect(found?.severity).toBe('error')
    expect(found?.message).toContain(`about ${total} tokens`)
    expect(verdict).toMatch(/rejects it/)
  })
})
