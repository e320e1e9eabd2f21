/**
 * Parts inside known records that no format reads: parts of an unknown type with text, and messages under an unknown
 * key. What a tool was given and what it returned may have any form, and is not looked into.
 */
import { isObject, type JsonObject, own, plainKey } from '../core/index.ts'
import { known } from '../dialects/known.ts'
import { carriesText, hasListOfTexts } from './content-text.ts'
import { documentOf } from './elements.ts'
import { fromJson } from './json-values.ts'
import type { FileRecord, SessionFile } from './types.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).map(plainKey))
const wire = known()

/** Keys of messages and their parts. */
const INSIDE = words(`content part message llmMessage messageData contentJson data payload item event history
  replacementHistory conversation chat request toolCall toolRequest toolCallState v $set`)
/** Keys whose lists are parts if one of them is known, and else the output of a tool. */
const OUTPUT = words('output result response value toolResult functionResponse')
/** Types of parts that no dialect has, only session files. */
const TYPES = words(`think binary finish imageFile audioUrl agentUpdate toolRequest toolConfirmationRequest gemini info
  frontendToolRequest systemNotification actionRequired contextLengthExceeded summarizationRequested error warning
  conversationCompacted manualBashInvocation toolInvocationSerialized progressTask progressTaskSerialized undoStop
  progressMessage mcpServersStarting inlineReference codeblockUri textEditGroup notebookEditGroup move multiDiffData
  prepareToolInvocation confirmation elicitation command treeData markdownContent markdownVuln extension pullRequest`)
/** Keys whose lists are no messages of the history. */
const KEYS = words(`toolUseResult toolsAdded discoveredTools shape snapshot normalizedMessages hookInfo hookError todo
  contextItem variableData contentReference codeCitation followUp agent editedFileEvent inputState statusHistory
  codeExecution embed skill plan choice candidate`)

export const isKnownType = isIn(wire.types, wire.roles, TYPES)
const isKnownKey = isIn(wire.keys, wire.request, KEYS, INSIDE, OUTPUT)
const isOutput = isIn(OUTPUT)
const isInside = isIn(INSIDE, OUTPUT)

function isIn(...sets: readonly ReadonlySet<string>[]): (word: string) => boolean {
  return (word) => sets.some((set) => set.has(word)) || sets.some((set) => set.has(plainKey(word)))
}

const MOST = 10

/** In words, at most ten. */
export function unreadParts(file: SessionFile): readonly string[] {
  const found = new Map<string, number>()
  const document = file.input.tables ? undefined : documentOf(file.input, [])
  if (isObject(document)) for (const what of unknownKeys(document)) found.set(what, 1)
  const isSent = sentTypes(file)
  for (const record of file.records) {
    if (found.size >= MOST) break
    for (const what of record.known ? unreadIn(record, isSent(record)) : [])
      if (!found.has(what)) found.set(what, record.line)
  }
  return [...found].slice(0, MOST).map(([what, line]) => `${what} (first at line ${line})`)
}

/** Whether records of this type become messages. Where no message names its record, all may. */
function sentTypes({ conversations, records }: SessionFile): (record: FileRecord) => boolean {
  const types = new Set<string>()
  for (const { sources } of conversations)
    for (const indexes of sources) for (const index of indexes) types.add(records[index]!.type)
  return ({ type }) => types.size === 0 || types.has(type)
}

function* unreadIn({ value: record, start, end }: FileRecord, isSent: boolean): Generator<string> {
  const isRow = start === end
  const stack: unknown[] = [record]
  while (stack.length > 0) {
    const value = stack.pop()
    if (!isObject(value)) continue
    yield* unknownKeys(value, isSent ? hasListOfTexts : hasTurns)
    for (const key of Object.keys(value)) {
      const inner = isRow ? fromColumn(value[key]) : value[key]
      if (typeof inner !== 'object' || inner === null || !isInside(key)) continue
      if (!Array.isArray(inner)) stack.push(inner)
      else if (isSent) yield* unknownTypes(inner, key)
      if (Array.isArray(inner)) for (const one of inner) stack.push(one)
    }
  }
}

/** Columns of a table have parts as JSON. */
function fromColumn(value: unknown): unknown {
  return typeof value === 'string' && /^[[{]/.test(value) ? fromJson(value) : value
}

function* unknownKeys(value: JsonObject, holds: (value: unknown) => boolean = hasListOfTexts): Generator<string> {
  for (const key of Object.keys(value)) {
    const inner = value[key]
    if (typeof inner === 'object' && inner !== null && !isKnownKey(key) && holds(inner))
      yield `messages under the unknown key "${key.slice(0, 60)}"`
  }
}

const SPEAKER = /^(role|speaker|author|from|sender|actor|who)$/i

/** In a record that becomes no message, only a list in which messages have an author may be a history. */
function hasTurns(value: unknown): boolean {
  const isTurn = (one: unknown) =>
    isObject(one) && Object.keys(one).some((key) => SPEAKER.test(key)) && carriesText(one)
  return Array.isArray(value) && value.filter(isTurn).length > 1
}

function* unknownTypes(list: readonly unknown[], key: string): Generator<string> {
  const parts = list.filter(isObject)
  const unknown = parts.filter((part) => !isKnownPart(part) && carriesText(part))
  if (isOutput(key) && unknown.length === parts.length) return
  for (const part of unknown) yield `a part of the unknown type "${typeOf(part).slice(0, 60)}"`
}

function isKnownPart(part: JsonObject): boolean {
  const type = own(part, 'type') ?? own(part, 'kind')
  // The type of a call may have its name in it: `tool-weather`.
  if (typeof type === 'string') return isKnownType(type) || isKnownType(type.split('-')[0]!)
  return Object.keys(part).some((key) => isKnownKey(key) || isKnownType(key))
}

function typeOf(part: JsonObject): string {
  const type = own(part, 'type') ?? own(part, 'kind')
  return typeof type === 'string' ? type : (Object.keys(part)[0] ?? '')
}
