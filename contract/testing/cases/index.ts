/** All tables, by subject. */

import type { Table } from '../table.ts'
import { anthropicPairing } from './anthropic.ts'
import { anthropicContent } from './anthropic-content.ts'
import { anthropicSchema } from './anthropic-schema.ts'
import { bedrock, bedrockInvoke } from './bedrock.ts'
import { dashscope, deepseek, deepseekMessages, mistral, moonshot } from './compatible.ts'
import { geminiShape, geminiTurns, vertexGemini } from './gemini.ts'
import { azureChat, copilotChat, openaiPairing, openaiSchema } from './openai-chat.ts'
import {
  anthropicDisputed,
  anthropicRecorded,
  bedrockInvokeRecorded,
  openaiChatRecorded,
} from './recorded-anthropic-and-chat.ts'
import {
  bedrockRecorded,
  cerebrasRecorded,
  deepseekResponsesRecorded,
  geminiRecorded,
  minimax,
  responsesRecorded,
} from './recorded-other.ts'
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
  'Anthropic, recorded': anthropicRecorded,
  'Anthropic, disputed': anthropicDisputed,
  'Bedrock Invoke, recorded': bedrockInvokeRecorded,
  'OpenAI chat, recorded': openaiChatRecorded,
  'Azure chat, recorded': { ...openaiChatRecorded, to: { provider: 'azure' } },
  'Copilot chat, recorded': { ...openaiChatRecorded, to: { provider: 'copilot' } },
  'Responses, recorded': responsesRecorded,
  'DeepSeek Responses, recorded': deepseekResponsesRecorded,
  'Gemini, recorded': geminiRecorded,
  'Bedrock Converse, recorded': bedrockRecorded,
  'Cerebras, recorded': cerebrasRecorded,
}
