import { describe, expect, it } from 'vitest'
import { isSutureError } from '../../core/index.ts'
import { dialects } from '../../dialects/index.ts'
import { dialectIds, expressible, history, parseHistory, printHistory } from './index.ts'

const conversations: Readonly<Record<string, string>> = {
  'a plain conversation': `
    user: hello
    assistant: hi`,
  'a round with two calls': `
    user: weather?
    assistant: I look | call a weather {"city":"Oslo"} | call b news
    tool: result a sunny | result b none
    assistant: sunny`,
  'a call without words': `
    user: go
    assistant: call a run
    tool: result a done`,
  'a failed result': `
    user: go
    assistant: call a run
    tool: failed a no such file`,
  'reasoning, plain': `
    user: go
    assistant: think let me see | done`,
  'reasoning, signed': `
    user: go
    assistant: think! let me see | call a run
    tool: result a ok`,
  'a signed call': `
    user: go
    assistant: call! a run {"x":1}
    tool: result a ok`,
  'text after a call': `
    user: go
    assistant: call a run | wait
    tool: result a ok`,
  'an image': `
    user: look at this | image`,
  'a tool the provider runs': `
    user: search
    assistant: server s web_search {"q":"x"} | served s a page | found`,
  'text beside results': `
    user: go
    assistant: call a run
    user: result a ok | and now?`,
  'nothing at all': `
    user: empty
    assistant: hi`,
  'blank texts': `
    user: blank
    assistant: \\n\\n`,
  'an empty text beside another': `
    user: text | hello`,
  'no ids and empty ones': `
    user: go
    assistant: call "" run | call - run | call c ""
    tool: result "" x | result - y`,
  'a system in the middle': `
    system: be brief
    user: hello
    system: be briefer`,
  'words of the notation as text': `
    user: text call me | text empty | a \\| b | text result`,
  escapes: `
    user: \\sline\\nbreak \\\\n sp\\s
    assistant: \\ud83d`,
  'bad arguments': `
    user: go
    assistant: call a run {"x":
    tool: result a ok`,
}

describe('notation', () => {
  for (const [name, text] of Object.entries(conversations)) {
    for (const dialect of dialects) {
      if (!expressible(text, dialect.id)) continue
      it(`${name} survives a round trip through ${dialect.id}`, () => {
        expect(printHistory(parseHistory(text, dialect.id), dialect)).toBe(canonical(text, dialect.id))
      })
    }
  }

  it('tells what each dialect can express', () => {
    const can = (name: string) => dialectIds.filter((id) => expressible(conversations[name]!, id))
    expect(can('a plain conversation')).toEqual(dialectIds)
    // A result has no line of its own in interface messages.
    expect(can('a round with two calls')).toEqual(dialectIds.filter((id) => id !== 'ai-sdk-ui'))
    expect(can('a signed call')).toEqual(['gemini'])
    expect(can('text beside results')).toEqual(['anthropic-messages', 'gemini', 'bedrock-converse'])
    expect(can('a tool the provider runs')).toEqual(['anthropic-messages', 'ai-sdk'])
    expect(can('text after a call')).not.toContain('openai-chat')
  })

  it('writes the usual native form', () => {
    const text = 'user: hi\nassistant: call a f {"x":1}\ntool: result a ok\nuser: more'
    expect(history`user: hi`.in('openai-chat')).toEqual([{ role: 'user', content: 'hi' }])
    expect(parseHistory(text, 'anthropic-messages')).toEqual([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: { x: 1 } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }] },
      { role: 'user', content: 'more' },
    ])
    expect(parseHistory(text, 'openai-responses')).toEqual([
      { role: 'user', content: 'hi' },
      { type: 'function_call', call_id: 'a', name: 'f', arguments: '{"x":1}' },
      { type: 'function_call_output', call_id: 'a', output: 'ok' },
      { role: 'user', content: 'more' },
    ])
  })

  it.each(['hello', 'robot: hello', 'user: a | | b', 'assistant: call a', 'tool: result', 'user: empty | hello'])(
    'rejects %s',
    (text) => {
      let thrown: unknown
      try {
        parseHistory(text, 'openai-chat')
      } catch (error) {
        thrown = error
      }
      expect(isSutureError(thrown, 'unknown-notation')).toBe(true)
      expect(String(thrown)).toContain(`"${text}"`)
    },
  )

  it('rejects a line the dialect has no shape for', () => {
    expect(() => parseHistory('system: hello', 'gemini')).toThrow(/gemini has no shape for the line "system: text"/)
    expect(() => parseHistory('user: hello', 'morse')).toThrow(/Unknown dialect "morse"/)
  })

  it('prints anything', () => {
    const odd = [null, 1, 'x', [], {}, { role: 'user' }, { role: 'user', content: [null, 1, { type: 'odd' }] }]
    for (const dialect of dialects) {
      expect(printHistory(odd, dialect)).toContain('<null>')
      expect(printHistory(undefined, dialect)).toBe('<no history>')
    }
  })
})

/** The notation as it is printed: no indents, no mark of failure where the shape has none. */
function canonical(text: string, id: string): string {
  const failable = !['openai-chat', 'openai-responses'].includes(id)
  const lines = text.split('\n').map((line) => line.trim())
  const kept = lines.filter((line) => line !== '').map((line) => (failable ? line : line.replace('failed', 'result')))
  return kept.join('\n')
}
