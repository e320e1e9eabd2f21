/** All providers, and one that combines all of them. */
import type { Constraint, ConstraintBase, ConstraintTable, Dialect, Provider, Service } from '../core/index.ts'
import { anthropic } from './anthropic.ts'
import { azure } from './azure.ts'
import { bedrock } from './bedrock.ts'
import { cerebras } from './cerebras.ts'
import { copilot } from './copilot.ts'
import { dashscope } from './dashscope.ts'
import { deepseek } from './deepseek.ts'
import { gemini } from './gemini.ts'
import { groq } from './groq.ts'
import { aiSdk, aiSdkUi, langchain } from './in-process.ts'
import { llamacpp } from './llamacpp.ts'
import { mimo } from './mimo.ts'
import { minimax } from './minimax.ts'
import { mistral } from './mistral.ts'
import { moonshot } from './moonshot.ts'
import { ollama } from './ollama.ts'
import { openai, openaiResponsesProvider } from './openai.ts'
import { openrouter } from './openrouter.ts'
import { perplexity } from './perplexity.ts'
import { vertex } from './vertex.ts'
import { vllm } from './vllm.ts'
import { xai } from './xai.ts'
import { zhipu } from './zhipu.ts'

const all = [
  anthropic,
  openai,
  openaiResponsesProvider,
  azure,
  gemini,
  vertex,
  bedrock,
  mistral,
  deepseek,
  moonshot,
  dashscope,
  zhipu,
  xai,
  groq,
  cerebras,
  perplexity,
  mimo,
  minimax,
  openrouter,
  copilot,
  llamacpp,
  vllm,
  ollama,
  aiSdk,
  aiSdkUi,
  langchain,
] as const satisfies readonly Provider[]

/** The ids of the built-in providers. */
export type ProviderId = (typeof all)[number]['id']

/** All providers. */
export const providers: readonly Provider<ProviderId>[] = all

/**
 * Where providers want opposite things, nothing satisfies all: some need `reasoning_content` back and others reject it;
 * one family rejects text beside calls, which all others accept.
 */
const opposed = new Set(['reasoning-content-missing', 'reasoning-content-forbidden', 'tool-call-mixed-with-text'])

const services = new Map<string, Service>()

/** What every provider of this dialect accepts, whatever the model. */
export function strictest(dialect: Dialect): Service {
  let service = services.get(dialect.id)
  if (!service) {
    service = { dialect, constraints: strictestConstraints(dialect) }
    services.set(dialect.id, service)
  }
  return service
}

function strictestConstraints(dialect: Dialect): ConstraintTable {
  const table: Record<string, ConstraintBase[]> = {}
  for (const provider of providers) {
    for (const service of provider.serves) {
      if (service.dialect.id === dialect.id) gather(service.constraints, table)
    }
  }
  bridgeEverywhere(table)
  // The one with most parameters is checked first.
  for (const list of Object.values(table)) list.sort((a, b) => Object.keys(b).length - Object.keys(a).length)
  return table
}

/** Where one provider wants an answer between a result and a prompt, merging the two for another would undo it. */
function bridgeEverywhere(table: Record<string, (ConstraintBase & { bridge?: boolean; merge?: unknown })[]>): void {
  const orders = table['role-order']
  if (!orders?.some(({ bridge }) => bridge)) return
  table['role-order'] = orders.map((one) => (one.merge ? { ...one, bridge: true } : one))
}

function gather(from: ConstraintTable, into: Record<string, ConstraintBase[]>): void {
  for (const [rule, stated] of Object.entries(from)) {
    if (stated === null || stated === undefined || opposed.has(rule)) continue
    into[rule] ??= []
    for (const { models: _models, except: _except, ...rest } of [stated].flat()) {
      const { pairing: _pairing, types: _types, assumed: _assumed, ...constraint } = rest as Constraint
      into[rule].push(constraint as Constraint)
    }
  }
}
