import { generateText, type ModelMessage } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { describe, expect, it } from 'vitest'
import { lint, type Part, repair, type Target } from '../../core/index.ts'
import { toolResultMissing } from '../../rules/tool-result-missing.ts'
import { toolResultNotAdjacent } from '../../rules/tool-result-not-adjacent.ts'
import { aiSdk } from './index.ts'

const target: Target = {
  service: {
    dialect: aiSdk,
    constraints: {
      'tool-result-missing': { evidence: 'documented' },
      'tool-result-not-adjacent': { evidence: 'documented', across: true },
    },
  },
  rules: [toolResultMissing, toolResultNotAdjacent],
}

const ask = { role: 'user', content: 'go' }
const call = (id: string, more: object = {}) => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: 'run',
  input: {},
  ...more,
})
const result = (id: string, value = 'ok') => ({
  type: 'tool-result',
  toolCallId: id,
  toolName: 'run',
  output: { type: 'text', value },
})
const request = (id: string) => ({ type: 'tool-approval-request', approvalId: `for ${id}`, toolCallId: id })
const response = (id: string, approved = true) => ({
  type: 'tool-approval-response',
  approvalId: `for ${id}`,
  approved,
})
const assistant = (...content: object[]) => ({ role: 'assistant', content })
const tool = (...content: object[]) => ({ role: 'tool', content })

describe('ai-sdk', () => {
  it('reads the keys of version 4 and keeps them', () => {
    const old = { type: 'tool-call', toolCallId: 'a', toolName: 'f', args: { x: 1 } }
    const [part] = read(assistant(old))
    expect(part).toMatchObject({ kind: 'call', id: 'a', name: 'f', body: { x: 1 } })
    expect(aiSdk.write(part!, old, { arguments: { x: 2 } })).toEqual({ ...old, args: { x: 2 } })
    const answer = { type: 'tool-result', toolCallId: 'a', toolName: 'f', result: 'sunny', isError: true }
    const [given] = read(tool(answer))
    expect(given).toMatchObject({ kind: 'result', body: 'sunny', failed: true })
    expect(aiSdk.write(given!, answer, { result: 'rain' })).toEqual({ ...answer, result: 'rain' })
  })

  it('finds signatures wherever a provider keeps them', () => {
    const signed = (providerOptions: object) =>
      read(assistant({ type: 'reasoning', text: 'hm', providerOptions }))[0]!.signature
    expect(signed({ anthropic: { signature: 's' } })).toBe('s')
    expect(signed({ openai: { itemId: 'rs_1', reasoningEncryptedContent: 'e' } })).toBe('e')
    expect(signed({ google: { thoughtSignature: 't' } })).toBe('t')
    expect(signed({})).toBeUndefined()
  })

  it.each([
    [{ type: 'text', value: 'a' }, 'a', 0],
    [{ type: 'json', value: [1, 2] }, '[1,2]', 0],
    [{ type: 'error-json', value: { code: 1 } }, '{"code":1}', 0],
    [{ type: 'execution-denied', reason: 'no' }, 'no', 0],
    [
      {
        type: 'content',
        value: [
          { type: 'text', text: 'a' },
          { type: 'media', data: 'x', mediaType: 'image/png' },
        ],
      },
      'a',
      1,
    ],
    [{ type: 'content', value: [{ type: 'image-url', url: 'https://example.org/a' }] }, '', 1],
    ['old', 'old', 0],
  ])('says what %j says', (output, text, media) => {
    const [part] = read(tool({ type: 'tool-result', toolCallId: 'a', toolName: 'f', output }))
    const content = aiSdk.content(part!)
    expect([content.text, content.media.length]).toEqual([text, media])
  })

  it('leaves tools to the provider that runs them', () => {
    const history = [ask, assistant(call('s', { providerExecuted: true }), result('s'), { type: 'text', text: 'done' })]
    expect(lint(history, target)).toEqual([])
    expect(read(history[1]!).map(({ server }) => server)).toEqual([true, true, false])
  })

  it('leaves a call alone whose approval was just given or denied', () => {
    for (const approved of [true, false]) {
      const history = [ask, assistant(call('a'), request('a')), tool(response('a', approved))]
      expect(repair(history, target).value).toBe(history)
    }
  })

  it('answers the other calls of a round that waits for an approval', () => {
    const history = [ask, assistant(call('a'), call('b'), request('a')), tool(response('a'))]
    const repaired = repair(history, target).value
    expect(lint(history, target).map(({ data }) => data['call'])).toEqual(['b'])
    const ids = repaired.flatMap((message, index) => read(message, index)).filter(({ kind }) => kind === 'result')
    expect(ids.map(({ id }) => id)).toEqual(['b'])
    expect(lint(repaired, target)).toEqual([])
    expect(JSON.stringify(repaired.at(-1))).toContain('tool-approval-response')
  })

  it('answers a call that was never approved, and one whose approval is long past', () => {
    const never = [ask, assistant(call('a'), request('a'))]
    expect(lint(never, target)).toHaveLength(1)
    expect(lint(never, { ...target, inProgress: true })).toEqual([])
    const past = [ask, assistant(call('a'), request('a')), tool(response('a')), { role: 'user', content: 'well?' }]
    expect(lint(past, target)).toHaveLength(1)
  })

  it('takes a result after an approval for what it is', () => {
    const history = [ask, assistant(call('a'), request('a')), tool(response('a')), tool(result('a')), ask]
    expect(lint(history, target)).toEqual([])
  })

  it.each([
    ['an unanswered call', [ask, assistant(call('a'))]],
    ['one of two', [ask, assistant(call('a'), call('b')), tool(result('b')), ask]],
    ['a result after the next prompt', [ask, assistant(call('a')), ask, tool(result('a'))]],
    ['an approval that came to nothing', [ask, assistant(call('a'), request('a')), tool(response('a')), ask]],
  ])('is accepted by the SDK itself after %s', async (_name, history) => {
    await expect(send(history)).rejects.toThrow(/Tool results? (is|are) missing/)
    await expect(send(repair(history, target).value)).resolves.toBe('fine')
  })
})

function read(message: unknown, index = 0): Part[] {
  const parts: Part[] = []
  aiSdk.read(message, index, parts)
  return parts
}

async function send(messages: readonly unknown[]): Promise<string> {
  const model = new MockLanguageModelV3({
    doGenerate: {
      content: [{ type: 'text', text: 'fine' }],
      finishReason: { unified: 'stop', raw: undefined },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      },
      warnings: [],
    },
  })
  const { text } = await generateText({ model, messages: messages as ModelMessage[] })
  return text
}
