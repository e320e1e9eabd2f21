/**
 * Kimi Code: an event log. Messages are appended whole. An answer of the model is the events of one step, including
 * results.
 */

import { own } from '../../core/index.ts'
import { ConversationBuilder } from '../conversation.ts'
import { type WrittenResult, writerFor } from '../history-writer.ts'
import { asText, fileName, listIn, slashed, textIn } from '../json-values.ts'
import { readLines } from '../lines.ts'
import { serviceByName } from '../service-by-name.ts'
import type { StoredCall } from '../shared/chat-call.ts'
import { callOf } from '../shared/chat-call.ts'
import { contentText, textsOf } from '../shared/parts.ts'
import { defineFormat, sessionFile, unknownTypes } from '../shared/session-file.ts'
import type { FileInput, FileRecord, SessionFile } from '../types.ts'

const APPEND = 'context.append_message'
const LOOP = 'context.append_loop_event'
const EVENTS = new Set(['step.begin', 'step.end', 'content.part', 'tool.call', 'tool.result'])
/** Records that are not part of the context. */
const OTHERS =
  /^(metadata|runtime|profile|permission|turn|plugin|llm|usage|token_counting|prompt|agent|session|todo|plan|tools?|mcp|hook|context\.(compact|clear|splice|rewind|undo))/

function typeOf(value: unknown): { type: string; known: boolean } {
  const type = textIn(value, 'type') ?? 'no event'
  if (type !== LOOP) return { type, known: type === APPEND || OTHERS.test(type) }
  const event = textIn(value, 'event', 'type') ?? 'unknown'
  return { type: `${LOOP}/${event}`, known: EVENTS.has(event) }
}

const writer = writerFor('openai-chat')

class Step {
  readonly texts: string[] = []
  readonly thoughts: string[] = []
  readonly calls: StoredCall[] = []
  readonly results: WrittenResult[] = []
  readonly records: number[] = []

  take(event: unknown, record: number): void {
    this.records.push(record)
    const id = textIn(event, 'toolCallId') ?? ''
    const type = own(event, 'type')
    if (type === 'content.part' && textIn(event, 'part', 'type') === 'text')
      this.texts.push(textIn(event, 'part', 'text') ?? '')
    else if (type === 'content.part' && textIn(event, 'part', 'type') === 'think')
      this.thoughts.push(textIn(event, 'part', 'think') ?? '')
    else if (type === 'tool.call')
      this.calls.push({ id, name: textIn(event, 'name') ?? '', arguments: own(event, 'args') ?? {} })
    else if (type === 'tool.result') {
      const result = own(event, 'result')
      const output = own(result, 'output')
      const content = Array.isArray(output) ? textsOf(output).join('\n') : asText(output ?? '')
      this.results.push({ id, name: '', content, failed: own(result, 'isError') === true })
    }
  }

  messages(): readonly unknown[] {
    const text = this.thoughts.join('\n')
    const reasoning = text === '' ? [] : [{ text, key: 'reasoning_content' }]
    return [...writer.reply({ texts: this.texts, reasoning, calls: this.calls }), ...writer.results(this.results)]
  }
}

function fill(builder: ConversationBuilder, records: readonly FileRecord[]): void {
  let step: Step | undefined
  const close = () => {
    if (step) builder.add(step.messages(), step.records)
    step = undefined
  }
  for (const { value, index, type, known } of records) {
    if (type === APPEND) {
      close()
      builder.add(appended(own(value, 'message')), [index])
    } else if (type.startsWith(LOOP) && known) {
      const event = own(value, 'event')
      // Results may come after the end of their step; a new step begins a new answer.
      if (own(event, 'type') === 'step.begin') close()
      step ??= new Step()
      step.take(event, index)
    } else if (type.startsWith('context.compact') || type.startsWith('context.clear')) close()
  }
  close()
}

function appended(message: unknown): readonly unknown[] {
  const text = contentText(message)
  const role = own(message, 'role')
  if (role === 'assistant') {
    const calls = listIn(message, 'toolCalls').map((call) => {
      const args = own(own(call, 'function'), 'arguments') ?? own(call, 'args') ?? {}
      return callOf(textIn(call, 'id'), textIn(call, 'function', 'name') ?? textIn(call, 'name'), args)
    })
    return writer.reply({ texts: [text], calls })
  }
  if (role === 'tool') return writer.results([{ id: textIn(message, 'toolCallId') ?? '', name: '', content: text }])
  return text === '' ? [] : [role === 'system' ? writer.system(text) : writer.user(text)]
}

function read(input: FileInput): SessionFile {
  const lines = readLines(input, typeOf)
  const { records } = lines
  const builder = new ConversationBuilder()
  fill(builder, records)
  const metadata = records.find(({ type }) => type === 'metadata')?.value
  const version = textIn(metadata, 'protocol_version')
  const agent = /agents\/([^/]+)\/wire\.jsonl$/.exec(slashed(input.path))?.[1] ?? 'main'
  const request = records.findLast(({ type }) => type === 'llm.request')?.value
  const model = textIn(request, 'model')
  // Kimi Code sends OpenAI's shape, also to other providers.
  const named = serviceByName(textIn(request, 'provider') ?? 'moonshot')
  const provider = named.dialect === 'openai-chat' ? named.provider : 'moonshot'
  const compacted = records.some(({ type }) => /^context\.(compact|clear|splice|rewind|undo)/.test(type))
  const info = { id: agent, dialect: 'openai-chat', provider, model, agentClosesOpenCalls: true }
  return sessionFile('kimi-code', input, lines, [builder.done(info)], {
    version,
    sessionId: /\/(session_[^/]+)\//.exec(slashed(input.path))?.[1],
    cwd: textIn(records.find(({ type }) => type === 'profile.bind')?.value, 'environmentDisclosure', 'cwd'),
    unknown: [
      ...(version === undefined || /^1\./.test(version) ? [] : [`protocol version ${version}`]),
      ...(compacted ? ['compaction: the conversation is shown from its beginning'] : []),
      ...unknownTypes(records),
    ],
  })
}

export const kimiCode = defineFormat({
  id: 'kimi-code',
  title: 'Kimi Code',
  storage: 'jsonl',
  recognize(input, head) {
    if (own(head[0], 'type') === 'metadata' && own(head[0], 'protocol_version') !== undefined) return 1
    return fileName(input.path) === 'wire.jsonl' ? 0.7 : 0
  },
  read,
})
