/** OpenAI Agents with a session, pi-ai, Cline's import of sessions, and Strands' window. */
import { sanitizeImportedMessages } from '@cline/core'
import { transformMessages } from '@earendil-works/pi-ai/api/transform-messages'
import { Agent, MemorySession, Runner, Usage } from '@openai/agents'
import { Message, SlidingWindowConversationManager } from '@strands-agents/sdk'
import type { Peer } from '../peer.ts'
import { argsOf, assistant, call, callsOf, namesOf, type Plain, textOf } from '../plain.ts'
import { anthropic, bedrock, responses } from '../wires.ts'
import { versionOf } from './versions.ts'

type Native = Readonly<Record<string, unknown>>

/** A model that records what it is asked. */
class Recorder {
  input: readonly unknown[] = []

  async getResponse(request: { readonly input: readonly unknown[] }) {
    this.input = request.input
    const answer = {
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'ok' }],
    }
    return { usage: new Usage(), output: [answer] }
  }

  getStreamedResponse(): never {
    throw new Error('Not used here.')
  }
}

const PROMPT = 'What is next?'

/** A run gets a prompt: the last one of the history, or one that is taken off again afterwards. */
async function agentsInput(history: readonly Plain[]): Promise<readonly Plain[]> {
  const last = history.at(-1)
  const isPrompt = last?.role === 'user'
  const stored = responses.to(isPrompt ? history.slice(0, -1) : history).map(agentItem)
  const model = new Recorder()
  const agent = new Agent({ name: 'agent', model: model as never })
  const session = new MemorySession({ initialItems: stored as never })
  await new Runner({ tracingDisabled: true }).run(agent, isPrompt ? last.content : PROMPT, { session })
  const seen = responses.from(model.input.map(wireItem))
  return isPrompt ? seen : seen.slice(0, -1)
}

function agentItem(item: unknown): unknown {
  const { type, call_id: callId, content, role, ...rest } = item as Native
  if (type === 'function_call') return { ...rest, type, callId, status: 'completed' }
  if (type === 'function_call_output')
    return {
      type: 'function_call_result',
      callId,
      name: 'tool',
      status: 'completed',
      output: { type: 'text', text: rest['output'] },
    }
  if (role === 'user') return { type: 'message', role, content }
  return { type: 'message', role, status: 'completed', content: [{ type: 'output_text', text: content }] }
}

function wireItem(item: unknown): unknown {
  const { type, callId, output, ...rest } = item as Native
  if (type === 'function_call') return { ...rest, type, call_id: callId }
  if (type !== 'function_call_result') return item
  const text = typeof output === 'string' ? output : (output as Native)['text']
  return { type: 'function_call_output', call_id: callId, output: text }
}

const PI_MODEL = {
  id: 'claude-sonnet-4-6',
  api: 'anthropic-messages',
  provider: 'anthropic',
  input: ['text'],
  reasoning: false,
}
const USED = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
}

function toPi(history: readonly Plain[]): unknown[] {
  const names = namesOf(history)
  return history.map((message, timestamp) => {
    if (message.role === 'user') return { role: 'user', content: message.content, timestamp }
    if (message.role === 'tool') {
      const { tool_call_id: id, content } = message
      const parts = [{ type: 'text', text: content }]
      return {
        role: 'toolResult',
        toolCallId: id,
        toolName: names.get(id) ?? 'unknown',
        content: parts,
        isError: false,
        timestamp,
      }
    }
    const calls = callsOf(message).map((one) => ({
      type: 'toolCall',
      id: one.id,
      name: one.function.name,
      arguments: argsOf(one),
    }))
    const text = message.content === null ? [] : [{ type: 'text', text: message.content }]
    const { id: model, api, provider } = PI_MODEL
    const stopReason = calls.length > 0 ? 'toolUse' : 'stop'
    return { role: 'assistant', content: [...text, ...calls], api, provider, model, usage: USED, stopReason, timestamp }
  })
}

function fromPi(messages: readonly unknown[]): Plain[] {
  return (messages as readonly Native[]).map((message): Plain => {
    const text = textOf(message['content'])
    if (message['role'] === 'user') return { role: 'user', content: text }
    if (message['role'] === 'toolResult')
      return { role: 'tool', tool_call_id: String(message['toolCallId']), content: text }
    const parts = message['content'] as readonly Native[]
    const answer = textOf(parts.filter(({ type }) => type === 'text'))
    const calls = parts.filter(({ type }) => type === 'toolCall')
    return assistant(
      answer,
      calls.map((one) => call(String(one['id']), String(one['name']), one['arguments'])),
    )
  })
}

/** The id rule that pi-ai's own Anthropic provider passes. */
function piId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64)
}

/** Messages as Strands writes them; its window changes the list of the agent. */
function windowed(history: readonly Plain[]): readonly Plain[] {
  const messages = bedrock.to(history).map((one) => Message.fromMessageData(one as never))
  const agent = { messages }
  const manager = new SlidingWindowConversationManager() as unknown as { _applyManagement(messages: unknown[]): void }
  manager._applyManagement(agent.messages)
  return bedrock.from(agent.messages.map((one) => JSON.parse(JSON.stringify(one)) as unknown))
}

export const peers: readonly Peer[] = [
  {
    name: 'OpenAI Agents',
    version: versionOf('@openai/agents'),
    usage: 'new Runner().run(agent, prompt, { session: new MemorySession() }): what reaches the model',
    providers: ['openai', 'openai-responses'],
    run: agentsInput,
  },
  {
    name: 'pi-ai transformMessages',
    version: versionOf('@earendil-works/pi-ai'),
    usage: 'transformMessages(messages, model, normalizeToolCallId)',
    run: (history) => fromPi(transformMessages(toPi(history) as never, PI_MODEL as never, piId)),
  },
  {
    name: 'Cline sanitizeImportedMessages',
    version: versionOf('@cline/core'),
    usage: 'sanitizeImportedMessages(messages)',
    run: (history) => anthropic.from(sanitizeImportedMessages(anthropic.to(history) as never)),
  },
  {
    name: 'Strands sliding window',
    version: versionOf('@strands-agents/sdk'),
    usage: 'new SlidingWindowConversationManager(): window of 40 messages. It shortens, it does not repair',
    run: windowed,
  },
]
