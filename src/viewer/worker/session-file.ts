/** Session files in the page: opened, checked and repaired by the same functions as on the command line. */
import { isObject, wordOf } from '../../core/index.ts'
import { formatById, openSessionFile, recognize } from '../../session-files/open.ts'
import { planRepair } from '../../session-files/plan.ts'
import type { Conversation, FileInput, FileRecord, SessionFile } from '../../session-files/types.ts'
import { estimateTokens } from '../../strategies/estimate.ts'
import { counterFor } from '../../strategies/token-counts.ts'
import { type Document, dialectNamed, type FileSupport, type OpenConversation, type Stored } from './document.ts'
import { historyDocument, readHistory } from './history-file.ts'
import { loadFormatsFor } from './load-formats.ts'
import { factsOf } from './message-facts.ts'
import type { MessageFacts, SubAgent } from './protocol.ts'
import type { View } from './view.ts'

/** Marks the summary that a compaction left. */
const SUMMARY = 'summary'
/** Below this score a format is only a guess, and the file is read as a plain history. */
const SURE = 0.5

export async function openFile(
  name: string,
  bytes: Uint8Array,
  siblings: Readonly<Record<string, Uint8Array>> = {},
): Promise<Document> {
  const input: FileInput = { bytes, path: name, siblings: new Map(Object.entries(siblings)) }
  await loadFormatsFor(input)
  const best = recognize(input)[0]
  const file = best && best.score >= SURE ? openSessionFile(input, { format: best.format.id }) : undefined
  if (file && hasContent(file)) return documentOf(name, file)
  const history = readHistory(name, bytes)
  const { quarantined, notes } = history.salvage
  return quarantined.length + notes.length > 0 ? documentOf(name, history) : historyDocument(name, history)
}

function hasContent({ conversations, records }: SessionFile): boolean {
  return records.length > 0 || conversations.some(({ history }) => history.length > 0)
}

function documentOf(name: string, file: SessionFile): Document {
  const { title } = formatById(file.format)
  return {
    name,
    conversations: file.conversations.map((conversation) => conversationOf(file, conversation)),
    file,
    support,
    formatTitle: title,
    write: () => file.input.bytes,
    applied: [],
  }
}

function conversationOf(file: SessionFile, conversation: Conversation): OpenConversation {
  const { id, title, dialect, provider, model, history, sources, reach } = conversation
  const { stored, rowOf } = storedOf(file, conversation)
  return {
    id,
    title,
    dialect: dialectNamed(dialect),
    provider,
    model,
    stored,
    next: history,
    origins: Int32Array.from(sources, (records) => rowOf.get(records[0] ?? -1) ?? -1),
    reach: { included: reach.included, total: reach.total },
  }
}

/** Records that make a message, those that no request contains, and boundaries, in the order of the file. */
function storedOf(file: SessionFile, { history, sources, reach }: Conversation) {
  const because = new Map(reach.excluded.map((one) => [one.record, one.because]))
  const messages = new Map<number, number>()
  const follows = new Set<number>()
  sources.forEach((records, message) => {
    if (records[0] !== undefined && !messages.has(records[0])) messages.set(records[0], message)
    for (const record of records.slice(1)) follows.add(record)
  })
  const stored: Stored[] = []
  const rowOf = new Map<number, number>()
  let turnModel: { readonly model?: string } = {}
  for (const record of file.records) {
    const message = messages.get(record.index)
    const facts = factsOf(record.value)
    if (record.type === 'turn_context') turnModel = modelOf(record.value)
    if (message === undefined && !isShown(record, because.get(record.index), follows)) {
      if (follows.has(record.index) || !('message' in Object(record.value))) addUsage(stored, facts)
      continue
    }
    rowOf.set(record.index, stored.length)
    const last = message === undefined ? record.index : (sources[message]!.at(-1) ?? record.index)
    stored.push({
      message: message === undefined ? messageIn(record.value) : history[message],
      lines: [record.line, file.records[last]?.line ?? record.line],
      type: record.type,
      because: message === undefined ? (because.get(record.index) ?? 'not-conversation') : undefined,
      facts: { ...(message !== undefined && isReply(history[message]) && turnModel), ...facts },
      until: factsOf(file.records[last]?.value).at,
      compaction: compactionIn(record),
    })
  }
  return { stored, rowOf }
}

/** A later record with the usage of the last request: it belongs to the last reply, not to results after it. */
function addUsage(stored: Stored[], { usage }: MessageFacts): void {
  const reply = usage ? stored.findLastIndex(({ message, because }) => because === undefined && isReply(message)) : -1
  if (usage && reply >= 0) stored[reply] = { ...stored[reply]!, facts: { ...stored[reply]!.facts, usage } }
}

/** A message of the model; an item of a response names no role. */
function isReply(message: unknown): boolean {
  return (
    isObject(message) && (message['role'] === 'assistant' || /^(reasoning|\w+_call)$/.test(wordOf(message['type'])))
  )
}

/** The model that a Codex turn names for its replies. */
function modelOf(value: unknown): { readonly model?: string } {
  return isObject(value) ? factsOf({ model: isObject(value['payload']) ? value['payload']['model'] : undefined }) : {}
}

function isShown(record: FileRecord, because: string | undefined, follows: ReadonlySet<number>): boolean {
  if (follows.has(record.index)) return false
  if (compactionIn(record) !== undefined) return true
  return because !== undefined && because !== 'not-conversation'
}

function compactionIn({ type, value }: FileRecord): string | undefined {
  if (isObject(value) && value['isCompactSummary'] === true) return SUMMARY
  const marked = /compact/i.test(type) || (isObject(value) && /compact/i.test(wordOf(value['subtype'] ?? '')))
  return marked ? (recordedCompaction(value) ?? type) : undefined
}

/** What the agent wrote about its compaction, for example `auto, 155,000 tokens before, as recorded`. */
function recordedCompaction(value: unknown): string | undefined {
  const about = isObject(value) ? (value['compactMetadata'] ?? value['compact_metadata']) : undefined
  if (!isObject(about)) return undefined
  const before = about['preTokens'] ?? about['pre_tokens']
  const tokens = typeof before === 'number' ? `${before.toLocaleString('en')} tokens before, as recorded` : undefined
  const parts = [about['trigger'], tokens].filter((part) => typeof part === 'string')
  return parts.length > 0 ? parts.join(', ') : undefined
}

/** The message inside a record, under the key that its agent uses. */
function messageIn(value: unknown): unknown {
  if (!isObject(value)) return value
  for (const key of ['message', 'payload', 'data', 'item']) {
    const inner = value[key]
    if (isObject(inner) && ['role', 'content', 'type'].some((name) => inner[name] !== undefined)) return inner
  }
  return value
}

const repairOf: FileSupport['repair'] = (document, target) => {
  const { input, format } = document.file!
  const plan = planRepair(document.file!, { ...target, lossy: true, force: true })
  if (plan.bytes === input.bytes) return { plan, repaired: document }
  const repaired = documentOf(document.name, openSessionFile({ ...input, bytes: plan.bytes }, { format }))
  return { plan, repaired }
}

function subAgentsOf({ document, conversation, lines }: View): ReadonlyMap<number, readonly SubAgent[]> {
  const places = new Map<number, SubAgent[]>()
  const { file, conversations } = document
  if (!file || conversation.id !== conversations[0]?.id || conversations.length < 2) return places
  const byLine = new Map(lines.map(({ stored }, row) => [conversation.stored[stored]?.lines?.[0], row]))
  for (const record of file.records) {
    const named = agentIn(record.value)
    const sub =
      named === undefined ? undefined : conversations.find(({ id }) => id === named || id === `agent-${named}`)
    const row = byLine.get(record.line)
    if (!sub || row === undefined) continue
    const list = places.get(row) ?? []
    if (list.some(({ conversation }) => conversation === sub.id)) continue
    const tokens = counterFor(sub.dialect, estimateTokens).sum(sub.next)
    places.set(row, [...list, { conversation: sub.id, messages: sub.next.length, tokens }])
  }
  return places
}

function agentIn(value: unknown): string | undefined {
  const result = isObject(value) ? value['toolUseResult'] : undefined
  const id = isObject(result) ? result['agentId'] : undefined
  return typeof id === 'string' ? id : undefined
}

const support: FileSupport = { repair: repairOf, subAgents: subAgentsOf }
