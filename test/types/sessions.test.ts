/**
 * Sessions, plans and turns keep the message type of an SDK: what they return goes into a call of the SDK without a
 * cast. Checked by `tsc`.
 */
import type Anthropic from '@anthropic-ai/sdk'
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import type { ModelMessage } from 'ai'
import type OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import { describe, expectTypeOf, it } from 'vitest'
import type { runTurn } from '../../src/agent.ts'
import { compact, type compactSession, type compactWith, plan } from '../../src/compact.ts'
import { memoryStore, openSession, type Session } from '../../src/session.ts'

describe('a session of Anthropic messages', () => {
  it('gives what the SDK takes', async () => {
    const session = await openSession<MessageParam>(memoryStore(), 'a', { provider: 'anthropic' })
    await session.append([{ role: 'user', content: 'Hi.' }])
    expectTypeOf(await session.history()).toEqualTypeOf<MessageParam[]>()
    const request = { model: 'claude-opus-4-6', max_tokens: 1, messages: await session.history() }
    expectTypeOf(request).toExtend<Anthropic.MessageCreateParamsNonStreaming>()
    expectTypeOf((await session.view()).history).toEqualTypeOf<readonly MessageParam[]>()
    expectTypeOf((await session.page()).messages).toEqualTypeOf<readonly MessageParam[]>()
    expectTypeOf((await session.entries())[0]!.message).toEqualTypeOf<MessageParam>()
  })

  it('does not accept messages of another SDK', () => {
    type Append = Session<MessageParam>['append']
    const wrong = (append: Append) =>
      // @ts-expect-error A tool message of OpenAI is not a `MessageParam`.
      append([{ role: 'tool', tool_call_id: 'a', content: 'b' }])
    expectTypeOf(wrong).toBeFunction()
  })

  it('forks and exports as the same type', () => {
    expectTypeOf<Session<MessageParam>['fork']>().returns.resolves.toEqualTypeOf<Session<MessageParam>>()
    expectTypeOf<Session<MessageParam>['exportLast']>().returns.resolves.toEqualTypeOf<MessageParam[]>()
  })
})

describe('sessions of OpenAI and AI SDK messages', () => {
  it('return what their SDKs accept', () => {
    type Chat = Awaited<ReturnType<Session<ChatCompletionMessageParam>['history']>>
    expectTypeOf<Chat>().toExtend<OpenAI.ChatCompletionCreateParams['messages']>()
    type Items = Awaited<ReturnType<Session<ResponseInputItem>['history']>>
    expectTypeOf<Items>().toExtend<NonNullable<OpenAI.Responses.ResponseCreateParams['input']>>()
    expectTypeOf<Awaited<ReturnType<Session<ModelMessage>['history']>>>().toEqualTypeOf<ModelMessage[]>()
  })

  it('are accepted by compactSession and runTurn', () => {
    type Chat = ChatCompletionMessageParam
    expectTypeOf<typeof compactSession<Chat>>().parameter(0).toEqualTypeOf<Session<Chat>>()
    expectTypeOf<typeof runTurn<Chat>>().parameter(1).toEqualTypeOf<string | readonly Chat[]>()
  })
})

describe('plans', () => {
  const messages: MessageParam[] = [{ role: 'user', content: 'Hi.' }]

  it('keep the type of a history and of a request body', () => {
    const options = { provider: 'anthropic' } as const
    expectTypeOf(compact(messages, options).history).toEqualTypeOf<MessageParam[]>()
    const found = plan(messages, options)
    if (found.needs === 'summary') expectTypeOf(found.summaryInput.head).toEqualTypeOf<readonly MessageParam[]>()
    const body = { model: 'claude-opus-4-6', max_tokens: 1, messages }
    expectTypeOf(compact(body, options).history).toExtend<Anthropic.MessageCreateParamsNonStreaming>()
    const ofBody = plan(body, options)
    if (ofBody.needs === 'summary') expectTypeOf(ofBody.summaryInput.head).toEqualTypeOf<readonly MessageParam[]>()
  })

  it('also with a model', () => {
    expectTypeOf<Awaited<ReturnType<typeof compactWith<MessageParam[]>>>['history']>().toEqualTypeOf<MessageParam[]>()
  })
})
