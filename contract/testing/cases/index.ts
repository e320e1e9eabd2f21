/** All tables, by subject. */

import type { Table } from '../table.ts'
import { anthropicPairing } from './anthropic.ts'
import { anthropicContent } from './anthropic-content.ts'
import { anthropicSchema } from './anthropic-schema.ts'
import { bedrock, bedrockInvoke } from './bedrock.ts'
import { dashscope, deepseek, deepseekMessages, mistral, moonshot } from './compatible.ts'
import { geminiShape, geminiTurns, vertexGemini } from './gemini.ts'
import { anthropicDisputed, anthropicNovember, bedrockInvokeNovember, openaiChatNovember } from './november.ts'
import {
  bedrockNovember,
  cerebrasNovember,
  deepseekResponsesNovember,
  geminiNovember,
  minimax,
  responsesNovember,
} from './november-other.ts'
import { azureChat, copilotChat, openaiPairing, openaiSchema } from './openai-chat.ts'
import { azureResponses, copilotResponses, deepseekResponses, openaiResponses, otherResponses } from './responses.ts'
import { bigmodel, cerebras, groq, llamacpp, mimo, ollama, openrouter, perplexity, vllm, xai, zhipu } from './small.ts'

export const tables: Readonly<Record<string, Table>> = {
  'Anthropic, calls and results': anthropicPairing,
  'Anthropic, schema': anthropicSchema,
  'Anthropic, content': anthropicContent,
  'Vertex, Anthropic': { ...anthropicPairing, to: { provider: 'vertex', endpoint: 'messages' } },
  'Copilot, Anthropic': { ...anthropicContent, to: { provider: 'copilot', endpoint: 'messages' } },
  'OpenRouter, Anthropic': { ...anthropicPairing, to: { provider: 'openrouter', endpoint: 'messages' } },
  'OpenAI chat, calls and results': openaiPairing,
  'OpenAI chat, schema': openaiSchema,
  'Azure chat': azureChat,
  'Copilot chat': copilotChat,
  'OpenRouter chat, OpenAI': { ...openaiPairing, to: { provider: 'openrouter' } },
  'OpenRouter chat': openrouter,
  'OpenAI Responses': openaiResponses,
  'Azure Responses': azureResponses,
  'Copilot Responses': copilotResponses,
  'DeepSeek Responses': deepseekResponses,
  'xAI Responses': otherResponses,
  'Gemini, turns': geminiTurns,
  'Gemini, schema': geminiShape,
  'Vertex, Gemini': vertexGemini,
  'Bedrock Converse': bedrock,
  'Bedrock Invoke': bedrockInvoke,
  Mistral: mistral,
  DeepSeek: deepseek,
  'DeepSeek, Anthropic': deepseekMessages,
  Kimi: moonshot,
  DashScope: dashscope,
  GLM: zhipu,
  'GLM, Chinese host': bigmodel,
  xAI: xai,
  Groq: groq,
  Cerebras: cerebras,
  Perplexity: perplexity,
  MiMo: mimo,
  'llama.cpp': llamacpp,
  vLLM: vllm,
  Ollama: ollama,
  MiniMax: minimax,
  'Section 11, Anthropic': anthropicNovember,
  'Section 11, Anthropic, disputed': anthropicDisputed,
  'Section 11, Bedrock Invoke': bedrockInvokeNovember,
  'Section 11, OpenAI chat': openaiChatNovember,
  'Section 11, Azure chat': { ...openaiChatNovember, to: { provider: 'azure' } },
  'Section 11, Copilot chat': { ...openaiChatNovember, to: { provider: 'copilot' } },
  'Section 11, Responses': responsesNovember,
  'Section 11, DeepSeek Responses': deepseekResponsesNovember,
  'Section 11, Gemini': geminiNovember,
  'Section 11, Bedrock Converse': bedrockNovember,
  'Section 11, Cerebras': cerebrasNovember,
}
