/**
 * The public types with the messages of the real SDKs: what goes in comes back as the same type, and wrong names do not
 * compile. `tsc` checks this file; vitest only runs the few lines that have a result.
 */
import type Anthropic from '@anthropic-ai/sdk'
import type { Message as BedrockMessage, ConverseCommandInput } from '@aws-sdk/client-bedrock-runtime'
import type { Content, GenerateContentParameters } from '@google/genai'
import type { BaseMessage } from '@langchain/core/messages'
import type { ChatCompletionRequest } from '@mistralai/mistralai/models/components'
import type { ModelMessage, UIMessage } from 'ai'
import type OpenAI from 'openai'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { compact, rawHead } from '../../src/compact.ts'
import {
  type ConstraintBase,
  type Dialect as CoreDialect,
  defineRule,
  type NeutralForm,
  type Piece,
  type ReplyForm,
  type Rule,
} from '../../src/core/public.ts'
import { openaiChat } from '../../src/dialects/index.ts'
import type { replies } from '../../src/dialects/replies/index.ts'
import { type GuardOptions, guard } from '../../src/guard/index.ts'
import {
  type Dialect,
  type DialectId,
  dialects,
  dropRound,
  type Finding,
  isDialectId,
  isProviderId,
  isRuleId,
  isSutureError,
  type LintOptions,
  lint,
  type Provider,
  type ProviderId,
  providers,
  type RepairOptions,
  type RuleId,
  repair,
  rounds,
  rules,
  SutureError,
  split,
  turns,
} from '../../src/index.ts'
import { memoryStore, type OpenOptions, openSession } from '../../src/session.ts'
import type { DialectId as WrittenDialect } from '../../src/testing/index.ts'

type Chat = OpenAI.ChatCompletionMessageParam
type Item = OpenAI.Responses.ResponseInputItem
type MistralMessage = ChatCompletionRequest['messages'][number]

const to = { provider: 'openai' } as const
/** Calls that must not compile are written down, and never made. */
const never = (_calls: () => unknown) => {}

describe('ids', () => {
  it('are the ids of the registries', () => {
    expectTypeOf<'anthropic' | 'openai' | 'gemini' | 'ai-sdk-ui'>().toExtend<ProviderId>()
    expectTypeOf<'strictest'>().not.toExtend<ProviderId>()
    expectTypeOf<string>().not.toExtend<ProviderId>()
    expectTypeOf<'openai-chat' | 'anthropic-messages' | 'langchain'>().toExtend<DialectId>()
    expectTypeOf<string>().not.toExtend<DialectId>()
    expectTypeOf<'tool-result-missing' | 'unknown-field'>().toExtend<RuleId>()
    expectTypeOf<string>().not.toExtend<RuleId>()
    expectTypeOf<(typeof providers)[number]['id']>().toEqualTypeOf<ProviderId>()
    expectTypeOf<(typeof dialects)[number]['id']>().toEqualTypeOf<DialectId>()
    expectTypeOf<(typeof rules)[number]['id']>().toEqualTypeOf<RuleId>()
    // `suture/testing` lists the dialects that it can write, and writes all of them.
    expectTypeOf<WrittenDialect>().toEqualTypeOf<DialectId>()
  })

  it('are recognized at run time', () => {
    for (const { id } of providers) expect(isProviderId(id)).toBe(true)
    for (const { id } of dialects) expect(isDialectId(id)).toBe(true)
    for (const { id } of rules) expect(isRuleId(id)).toBe(true)
    for (const check of [isProviderId, isDialectId, isRuleId])
      expect(['antropic', 'toString', '', undefined, {}].map(check)).toEqual([false, false, false, false, false])
    const name: string = 'anthropic'
    if (isProviderId(name)) expectTypeOf(name).toEqualTypeOf<ProviderId>()
  })

  it('do not compile with a typo', () => {
    const list: Chat[] = []
    never(() => [
      // @ts-expect-error
      lint(list, { provider: 'antropic' }),
      // @ts-expect-error
      repair(list, { provider: 'opnai' }),
      // @ts-expect-error
      repair(list, { provider: 'openai', dialect: 'openai-caht' }),
      // @ts-expect-error
      repair(list, { provider: 'openai', rejectedBy: ['tool-result-mising'] }),
      // @ts-expect-error
      repair(list, { provider: 'openai', polcy: {} }),
      // @ts-expect-error
      repair(list, { provider: 'openai', policy: { orphan: 'drp' } }),
      // @ts-expect-error
      repair(list, { provider: 'openai', cause: 'losst' }),
      // @ts-expect-error
      split(list, { minKeep: 2, dialect: 'openai' }),
      // @ts-expect-error
      turns(list, { dialect: 'openai' }),
      // @ts-expect-error
      compact(list, { provider: 'opnai' }),
      // @ts-expect-error
      compact(list, { provider: 'openai', strategies: { ladder: ['shrnk'] } }),
      // @ts-expect-error
      guard({ provider: 'opnai' }),
      // @ts-expect-error
      guard({ dialect: 'openai-caht' }),
      // @ts-expect-error
      guard({ recovery: { disabled: ['wiat'] } }),
      // @ts-expect-error The policy of all repairs is `repair.policy`.
      guard({ recovery: { policy: {} } }),
    ])
    // @ts-expect-error
    const open: OpenOptions = { provider: 'opnai' }
    expect(open).toBeDefined()
  })

  it('can be replaced by objects of your own', () => {
    const dialect: Dialect = { ...openaiChat, id: 'acme-chat' }
    const provider: Provider = { id: 'acme', hosts: [], serves: [{ dialect, constraints: {} }] }
    const list: Chat[] = [{ role: 'user', content: 'Hi.' }]
    expect(repair(list, { provider }).value).toBe(list)
    expect(repair(list, { provider, dialect }).value).toBe(list)
    expect(rounds(list, { dialect })).toHaveLength(1)
    expect(split(list, { dialect, minKeep: 0 }).head).toEqual(list)
    expect(lint(list, { provider: 'strictest', dialect })).toEqual([])
    expectTypeOf<{ provider: Provider }>().toExtend<RepairOptions>()
    expectTypeOf<{ provider: Provider }>().toExtend<GuardOptions>()
    const rule = defineRule({
      id: 'acme-rule',
      phase: 'structure',
      repair: 'none',
      messages: { bad: 'Bad.' },
      check() {},
    })
    expectTypeOf(rule).toExtend<Rule>()
    expectTypeOf(rule.id).toEqualTypeOf<'acme-rule'>()
  })

  it('can be written with the types of suture/core alone', () => {
    expectTypeOf<NeutralForm>().toExtend<NonNullable<CoreDialect['neutral']>>()
    expectTypeOf<ReturnType<NeutralForm['mediaOf']>>().toExtend<Piece | undefined>()
    expectTypeOf<ConstraintBase>().toHaveProperty('evidence')
    expectTypeOf<(typeof replies)[string]>().toEqualTypeOf<ReplyForm>()
  })

  it('are accepted wherever a provider id is', async () => {
    const provider: Provider = { id: 'acme', hosts: [], serves: [{ dialect: openaiChat, constraints: {} }] }
    const list: Chat[] = [{ role: 'user', content: 'Hi.' }]
    expect(lint(list, { provider })).toEqual([])
    expect(compact(list, { provider }).history).toEqual(list)
    expect(guard({ provider })).toBeTypeOf('function')
    expect(guard({ provider, dialect: provider.serves[0]!.dialect })).toBeTypeOf('function')
    const session = await openSession<Chat>(memoryStore(), 'acme', { provider })
    await session.append(list)
    expect(await session.history()).toEqual(list)
    expectTypeOf<Provider>().toExtend<OpenOptions['provider']>()
  })
})

describe('histories', () => {
  it('are arrays or request bodies', () => {
    never(() => [
      // @ts-expect-error
      repair('x', to),
      // @ts-expect-error
      repair(undefined, to),
      // @ts-expect-error
      repair(null, to),
      // @ts-expect-error
      lint(undefined, to),
      // @ts-expect-error
      lint('x', to),
      // @ts-expect-error
      dropRound(undefined, 'turn 1, round 1'),
      // @ts-expect-error
      compact('x', to),
      // @ts-expect-error
      split('x', { minKeep: 1 }),
      // @ts-expect-error The provider is not optional.
      repair([], {}),
    ])
  })

  it('throw a clear error at run time', () => {
    for (const wrong of ['x', undefined, null, 5])
      expect(() => repair(wrong as never, to)).toThrow(expect.objectContaining({ code: 'not-a-history' }))
  })

  it('have the type of the SDK', () => {
    expectTypeOf(repair<Chat[]>)
      .returns.toHaveProperty('value')
      .toEqualTypeOf<Chat[]>()
    expectTypeOf(repair<Anthropic.MessageCreateParams>)
      .returns.toHaveProperty('value')
      .toEqualTypeOf<Anthropic.MessageCreateParams>()
    expectTypeOf(repair<GenerateContentParameters>)
      .returns.toHaveProperty('value')
      .toEqualTypeOf<GenerateContentParameters>()
    expectTypeOf(repair<ConverseCommandInput>)
      .returns.toHaveProperty('value')
      .toEqualTypeOf<ConverseCommandInput>()
    expectTypeOf(repair<ChatCompletionRequest>)
      .returns.toHaveProperty('value')
      .toEqualTypeOf<ChatCompletionRequest>()
    expectTypeOf(repair<UIMessage[]>)
      .returns.toHaveProperty('value')
      .toEqualTypeOf<UIMessage[]>()
    expectTypeOf(dropRound<Chat[]>)
      .returns.toHaveProperty('dropped')
      .toEqualTypeOf<readonly Chat[]>()
    expectTypeOf(rawHead<Item[]>).returns.toEqualTypeOf<Item[]>()
  })

  it('are cut into what the SDKs accept', () => {
    const send = <M>(history: readonly M[]): M[] => {
      const { preamble, tail } = split(history, { minKeep: 2 })
      return [...preamble, ...tail]
    }
    expectTypeOf(send<Chat>).returns.toExtend<OpenAI.ChatCompletionCreateParams['messages']>()
    expectTypeOf(send<Item>).returns.toExtend<NonNullable<OpenAI.Responses.ResponseCreateParams['input']>>()
    expectTypeOf(send<Anthropic.MessageParam>).returns.toExtend<Anthropic.MessageCreateParams['messages']>()
    expectTypeOf(send<Content>).returns.toExtend<GenerateContentParameters['contents']>()
    expectTypeOf(send<BedrockMessage>).returns.toExtend<NonNullable<ConverseCommandInput['messages']>>()
    expectTypeOf(send<MistralMessage>).returns.toExtend<ChatCompletionRequest['messages']>()
    expectTypeOf(send<ModelMessage>).returns.toEqualTypeOf<ModelMessage[]>()
    expectTypeOf(send<BaseMessage>).returns.toEqualTypeOf<BaseMessage[]>()
  })
})

describe('options and findings', () => {
  it('have one name each', () => {
    expectTypeOf<LintOptions>().toEqualTypeOf<RepairOptions>()
    // @ts-expect-error There is no type with the bare name.
    type Bare = import('../../src/index.ts').Options
    expectTypeOf<Bare>().toBeAny()
  })

  it('the rules of findings can be passed back', () => {
    const pass = (found: readonly Finding[]) =>
      repair([] as Chat[], { provider: 'openai', rejectedBy: found.map(({ rule }) => rule) })
    expectTypeOf(pass).returns.toHaveProperty('remaining').toEqualTypeOf<readonly Finding[]>()
    expectTypeOf<Finding['rule']>().toEqualTypeOf<RuleId | 'too-many-findings'>()
  })

  it('an undefined option is the same as none', () => {
    const model: string | undefined = undefined
    expect(repair([], { provider: 'openai', model, dialect: undefined, rejectedBy: undefined }).patch).toBeDefined()
  })
})

describe('errors', () => {
  const caught = (error: unknown = new SutureError('conflict', 'x', { session: 's', expected: 1, actual: 2 })) => error

  it('narrow code and detail', () => {
    const error = caught()
    expect(isSutureError(error, 'conflict')).toBe(true)
    expect(isSutureError(error, 'fenced')).toBe(false)
    if (isSutureError(error, 'conflict')) {
      expectTypeOf(error.code).toEqualTypeOf<'conflict'>()
      expectTypeOf(error.detail.session).toEqualTypeOf<string | undefined>()
      expectTypeOf(error.detail.actual).toEqualTypeOf<number | undefined>()
      // @ts-expect-error A conflict has no turn.
      expect(error.detail.turn).toBeUndefined()
    }
    if (isSutureError(error) && error.code === 'no-such-turn')
      expectTypeOf(error.detail.turn).toEqualTypeOf<number | undefined>()
    if (isSutureError(error, 'rejected')) expectTypeOf(error.detail.status).toEqualTypeOf<number | undefined>()
  })

  it('have no unknown code and no unknown detail', () => {
    never(() => [
      // @ts-expect-error
      isSutureError(caught(), 'conflct'),
      // @ts-expect-error
      new SutureError('denied', 'x'),
      // @ts-expect-error
      new SutureError('no-such-turn', 'x', { tern: 1 }),
    ])
  })

  it('openSession is typed by message', () => {
    expectTypeOf(openSession<Chat>)
      .returns.resolves.toHaveProperty('history')
      .returns.resolves.toEqualTypeOf<Chat[]>()
  })
})
