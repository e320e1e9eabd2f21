/**
 * The worker: keeps what is open, and answers the calls of the page. All parsing, linting, comparing and searching is
 * done here.
 */
import { providers } from '../../providers/index.ts'
import { textOf } from './cells.ts'
import { copyOf } from './copy.ts'
import { type Document, encoded, openSession, type SessionInput } from './document.ts'
import { find } from './find.ts'
import { explained, loadRuleWords } from './findings.ts'
import { json } from './preview.ts'
import type { CopyFormat, DocumentInfo, EditsView, Overview, Row, RowSide, RuleView } from './protocol.ts'
import { Rows } from './rows.ts'
import { tokensOf } from './token-view.ts'
import { messageOf, repairConversation, storedAt, type ViewOptions, viewOf } from './view.ts'

/** The document and its repaired versions, the newest last. Undo drops the last one. */
const documents: Document[] = []
let rows: Rows | undefined
/** Of the last view. */
let options: ViewOptions | undefined

function current(): Document {
  const document = documents.at(-1)
  if (!document) throw new Error('Nothing is open. Open a file first.')
  return document
}

function shown(): Rows {
  if (!rows) throw new Error('No conversation is shown. Choose one first.')
  return rows
}

function begin(document: Document): DocumentInfo {
  documents.length = 0
  documents.push(document)
  rows = undefined
  return infoOf(document)
}

function infoOf({ name, formatTitle, conversations, write }: Document): DocumentInfo {
  return {
    name,
    formatTitle,
    writes: write !== undefined,
    conversations: conversations.map(({ id, title, provider, next }) => ({
      id,
      title,
      provider,
      messages: next.length,
    })),
    undoable: documents.length - 1,
  }
}

interface FileToOpen {
  readonly name: string
  readonly bytes: Uint8Array
  readonly siblings?: Readonly<Record<string, Uint8Array>> | undefined
}

/** The functions that the page calls by name. */
const api = {
  async open({ name, bytes, siblings }: FileToOpen): Promise<DocumentInfo> {
    const { openFile } = await import('./session-file.ts')
    return begin(await openFile(name, bytes, siblings))
  },
  openSession: (input: SessionInput) => begin(openSession(input)),
  async view(chosen: ViewOptions): Promise<Overview> {
    options = chosen
    const view = viewOf(current(), chosen)
    if (view.findings.length > 0 || view.fileFindings) await loadRuleWords()
    rows = new Rows(view)
    return rows.overview()
  },
  rows(from: number, to: number): readonly Row[] {
    const all = shown()
    const end = Math.min(to, all.view.lines.length)
    return Array.from({ length: Math.max(0, end - from) }, (_, i) => all.row(from + i))
  },
  fullText(row: number, side: RowSide, part: number): string {
    const { view } = shown()
    const message = messageOf(view, row, side)
    if (!message) return json(storedAt(view, row)?.message)
    return textOf(message.side.transcript.partsOf(message.index)[part]!)
  },
  raw(row: number, side: RowSide): string {
    const { view } = shown()
    const message = messageOf(view, row, side)
    return json(message ? message.side.list[message.index] : storedAt(view, row)?.message)
  },
  find: (text: string) => find(shown().view, text),
  tokens: () => tokensOf(shown().view),
  plan: async (force: boolean) => (await import('./plan-view.ts')).planOf(shown().view, force),
  async edits(limit: number): Promise<EditsView> {
    const { view } = shown()
    const repaired = view.sent === view.original ? viewOf(current(), { ...options!, repaired: true }) : view
    return (await import('./edits-view.ts')).editsOf(view, repaired, limit)
  },
  compareRow: async (row: number) => (await import('./edits-view.ts')).compareRow(shown().view, row),
  apply(): DocumentInfo {
    documents.push(shown().view.repaired)
    return infoOf(current())
  },
  undo(): DocumentInfo {
    if (documents.length > 1) documents.pop()
    return infoOf(current())
  },
  download(what: 'file' | 'patch'): { readonly name: string; readonly bytes: Uint8Array } {
    const document = current()
    if (what === 'patch') {
      const { conversation, target } = shown().view
      const patch = document.applied.length > 0 ? document.applied : repairConversation(conversation, target).patch
      return { name: `${document.name}.patch.json`, bytes: encoded(JSON.stringify(patch, null, 2)) }
    }
    if (!document.write) throw new Error('A session of the gateway is not a file. Copy it as a request instead.')
    const name = documents.length > 1 ? repairedName(document.name) : document.name
    return { name, bytes: document.write(document.conversations) }
  },
  copy: (as: CopyFormat) => copyOf(shown().view, as),
  async explain(text: string) {
    await loadRuleWords()
    return (await import('./explain.ts')).explainView(text, rows)
  },
  /** A rule, with the error texts of this provider first. */
  async rule(id: string, provider: string): Promise<RuleView> {
    await loadRuleWords()
    // An upstream may have another name than its provider.
    return explained(id, providers.some((one) => one.id === provider) ? provider : undefined)
  },
  providers: () => providers.map(({ id }) => id),
}

function repairedName(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? `${name.slice(0, dot)}.repaired${name.slice(dot)}` : `${name}.repaired`
}

export type Api = typeof api

interface Call {
  readonly id: number
  readonly call: keyof Api
  readonly args: readonly unknown[]
}

addEventListener('message', async ({ data }: MessageEvent<Call>) => {
  const { id, call, args } = data
  try {
    const value = await (api[call] as (...all: readonly unknown[]) => unknown)(...args)
    postMessage({ id, value })
  } catch (error) {
    postMessage({ id, error: (error as Error).message })
  }
})
