import { describe, expect, it } from 'vitest'
import * as models from './models.ts'

const names: Readonly<Record<keyof typeof models, { yes: readonly string[]; no: readonly string[] }>> = {
  CLAUDE: {
    yes: ['claude-3-opus-20240229', 'us.anthropic.claude-sonnet-4-6-v1:0'],
    no: ['gpt-5', 'amazon.nova-pro-v1:0'],
  },
  NOT_CLAUDE: {
    yes: ['amazon.nova-pro-v1:0', 'meta.llama3-1-70b-instruct-v1:0'],
    no: ['us.anthropic.claude-opus-4-6-v1'],
  },
  CLAUDE_4_6: {
    yes: [
      'claude-opus-4-6',
      'claude-sonnet-4.6',
      'anthropic/claude-opus-4.8',
      'us.anthropic.claude-opus-4-6-v1:0',
      'claude-opus-4-6@20260101',
      'claude-sonnet-4-6-20260217',
      'claude-opus-4-10',
      'claude-opus-5',
      'claude-haiku-5-5',
      'claude-sonnet-5-20270101',
      'claude-fable-5',
      'claude-mythos-5-1',
      'claude-opus-4-6[1m]',
    ],
    no: [
      'claude-sonnet-4-20250514',
      'anthropic/claude-sonnet-4',
      'claude-sonnet-4@20250514',
      'claude-sonnet-4-0',
      'claude-opus-4-1-20250805',
      'claude-opus-41',
      'claude-haiku-4-5-20251001',
      'claude-haiku-4.5',
      'claude-3-5-sonnet-20241022',
      'claude-3-7-sonnet-latest',
      'claude-3.7-sonnet-thought',
      'claude-3-opus-20240229',
      'claude-2.1',
      'anthropic.claude-v2',
      'claude-instant-1.2',
      'claude-opus-latest',
    ],
  },
  CLAUDE_BINDING: {
    yes: ['claude-fable-5-1', 'claude-mythos-5.2', 'anthropic/claude-opus-5.5', 'us.anthropic.claude-haiku-5-5-v1:0'],
    no: [
      'claude-fable-5',
      'claude-opus-5',
      'claude-opus-5-1',
      'claude-sonnet-5-20270101',
      'claude-opus-4-8',
      'claude-3-5-haiku',
    ],
  },
  GEMINI_3: {
    yes: ['gemini-3-flash-preview', 'google/gemini-3.1-pro', 'models/gemini-3.5-flash', 'gemini-4-pro'],
    no: ['gemini-2.5-pro', 'gemini-2.0-flash-exp', 'gemini-flash-latest', 'gemini-exp-1206', 'gemini-1.5-pro'],
  },
  GEMINI_3_6: {
    yes: ['gemini-3.6-flash', 'gemini-3.7-flash', 'gemini-4-pro'],
    no: ['gemini-3-pro-preview', 'gemini-3.5-flash'],
  },
  DEEPSEEK_THINKING: {
    yes: ['deepseek-reasoner', 'deepseek-v4-flash', 'deepseek/deepseek-v4'],
    no: ['deepseek-chat', 'deepseek-v3.2', 'deepseek-ai/DeepSeek-R1'],
  },
  DEEPSEEK_R1: { yes: ['deepseek-ai/DeepSeek-R1', 'deepseek-reasoner'], no: ['deepseek-chat', 'deepseek-v4'] },
  KIMI_THINKING: {
    yes: ['kimi-k2-thinking-turbo', 'moonshotai/kimi-k2.5', 'kimi-k2.6', 'kimi-k3'],
    no: ['moonshotai/kimi-k2-instruct-0905', 'kimi-latest', 'moonshot-v1-8k'],
  },
  MISTRAL_TEMPLATE: { yes: ['mistralai/Mistral-7B-Instruct-v0.3', 'mixtral:8x7b'], no: ['llama3.1', 'qwen3'] },
  GPT_4: {
    yes: ['gpt-4o', 'gpt-4.1-mini', 'gpt-3.5-turbo', 'openai/gpt-4o', 'o3-mini', 'o1'],
    no: ['gpt-5', 'gpt-oss-120b', 'grok-4'],
  },
  CLAUDE_BEFORE_4_6: {
    yes: [
      'claude-3-opus-20240229',
      'claude-sonnet-4-20250514',
      'claude-haiku-4-5-20251001',
      'anthropic/claude-haiku-4.5',
      'claude-opus-41',
    ],
    no: ['claude-opus-4-6', 'claude-sonnet-4.6', 'claude-opus-5-5', 'claude-fable-5', 'gpt-4o', 'claude-opus-4-10'],
  },
  CLAUDE_NOT_BEFORE_4_6: {
    yes: ['claude-opus-4-6', 'claude-fable-5', 'my-deployment'],
    no: ['claude-3-opus-20240229', 'us.anthropic.claude-haiku-4-5-20251001-v1:0'],
  },
  GPT_BEFORE_5_2: {
    yes: ['gpt-4o', 'gpt-5', 'gpt-5-mini', 'openai/gpt-5.1', 'o4-mini', 'gpt-3.5-turbo'],
    no: ['gpt-5.2', 'gpt-5.4-nano', 'gpt-oss-120b', 'claude-opus-4-6'],
  },
  GPT_5: {
    yes: ['gpt-5', 'gpt-5.4-nano', 'openai/gpt-5-mini'],
    no: ['gpt-4o', 'gpt-35-turbo', 'gpt-3.5-turbo', 'gpt-4.1'],
  },
}

describe('models', () => {
  const patterns: Readonly<Record<string, RegExp>> = { ...models }
  for (const [family, { yes, no }] of Object.entries(names)) {
    const pattern = patterns[family]!
    it.each([...yes])(`${family} is %s`, (name) => expect(pattern.test(name)).toBe(true))
    it.each([...no])(`${family} is not %s`, (name) => expect(pattern.test(name)).toBe(false))
  }
})
