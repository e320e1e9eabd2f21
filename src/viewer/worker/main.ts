/**
 * The worker: holds what is open and answers the page's questions. All parsing, linting, comparing and searching is done here.
 */
import { providers } from '../../providers/index.ts'
import { defined, textOf } from './cells.ts'
import { copyOf } from './copy.ts'
import { type Document, encoded, openSession, type Talk } from './document.ts'
import { find } from './find.ts'
import { explained, loadRuleWords } from './findings.ts'
import { isPlainHistory } from './plain-history.ts'
import { json } from './preview.ts'
import type { Api, DocumentInfo } from './protocol.ts'
import { Rows } from './rows.ts'
import { tokensOf } from './token-view.ts'
import { repairHistory, storedAt, type View, viewOf } from './view.ts'

/** As the page's API; what needs a further part of the script answers later. */
type WorkerApi = {
  readonly [K in keyof Api]: (...args: Parameters<Api[K]>) => ReturnType<Api[K]> | Promise<ReturnType<Api[K]>>
}

/** The newest last: undo drops it. */
const documents: Document[] = []
let rows: Rows | undefined

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

function infoOf(document: Document): DocumentInfo {
  const { name, bytes, file, formatTitle, talks, write } = document
  return {
    name,
    ...defined('format', file?.format),
    ...defined('formatTitle', formatTitle),
    ...defined('version', file?.version),
    writes: write !== undefined,
    bytes,
    conversations: talks.map(({ id, title, dialect, provider, model, next }) => ({
      id,
      ...defined('title', title),
      dialect: dialect.id,
      provider,
      ...defined('model', model),
      messages: next.length,
    })),
    unknown: file?.unknown ?? [],
    undoable: documents.length - 1,
  }
}

function sideOf(side: 'stored' | 'next', row: number) {
  const { view } = shown()
  const { asked, sent } = view.lines[row]!
  const useNext = side === 'next' || asked < 0
  return { view, source: useNext ? view.sent : view.asked, index: useNext ? sent : asked }
}

const api: WorkerApi = {
  async open({ name, bytes, siblings }) {
    const { readHistory, historyDocument } = await import('./history-file.ts')
    const isAlone = Object.keys(siblings ?? {}).length === 0
    if (isAlone && isPlainHistory(name, bytes)) return begin(historyDocument(name, readHistory(name, bytes)))
    const { openFile } = await import('./session-file.ts')
    return begin(await openFile(name, bytes, siblings))
  },
  openSession: (input) => begin(openSession(input)),
  async view(options) {
    const view = viewOf(current(), options)
    if (view.findings.length > 0 || view.ofFile) await loadRuleWords()
    rows = new Rows(view)
    return rows.overview()
  },
  rows(from, to) {
    const all = shown()
    const end = Math.min(to, all.view.lines.length)
    return Array.from({ length: Math.max(0, end - from) }, (_, i) => all.row(from + i))
  },
  fullText(row, side, part) {
    const { source, index, view } = sideOf(side, row)
    if (index < 0) return json(storedAt(view, row)?.message)
    return textOf(source.transcript.partsOf(index)[part]!)
  },
  raw(row, side) {
    const { source, index, view } = sideOf(side, row)
    return json(index < 0 ? storedAt(view, row)?.message : source.list[index])
  },
  find: (text) => find(shown().view, text),
  tokens: () => tokensOf(shown().view),
  plan: async (force) => (await import('./plan-view.ts')).planOf(shown().view, force),
  edits: async (limit) => (await import('./edits-view.ts')).editsOf(shown().view, limit),
  difference: async (before, after) => (await import('./edits-view.ts')).difference(before, after),
  compareRow: async (row) => (await import('./edits-view.ts')).compareRow(shown().view, row),
  apply(only) {
    const { view } = shown()
    documents.push(applied(view, only))
    return infoOf(current())
  },
  undo() {
    if (documents.length > 1) documents.pop()
    return infoOf(current())
  },
  download(what) {
    const document = current()
    if (what === 'patch') {
      const { talk, target } = shown().view
      const patch = document.applied.length > 0 ? document.applied : repairHistory(talk, target).patch
      return { name: `${document.name}.patch.json`, bytes: encoded(JSON.stringify(patch, null, 2)) }
    }
    if (!document.write) throw new Error('A session of the gateway is not a file. Copy it as a request instead.')
    return {
      name: repairedName(document.name, documents.length > 1),
      bytes: document.write(document.talks),
    }
  },
  copy: (as) => copyOf(shown().view, as),
  async explain(text) {
    await loadRuleWords()
    return (await import('./explain.ts')).explainView(text, rows)
  },
  async rule(id, provider) {
    await loadRuleWords()
    return explained(id, provider)
  },
  providers: () => providers.map(({ id }) => id),
}

/** The document after the repair of what is shown; with `only`, of these rules alone. */
function applied(view: View, only: readonly string[] | undefined): Document {
  const document = current()
  const { support } = document
  if (support) {
    const target = { provider: view.provider, ...defined('model', view.model) }
    return support.apply(document, support.plan(document, target, only))
  }
  const { patch, next, body } = repairHistory(view.talk, view.target)
  const talk: Talk = {
    ...view.talk,
    stored: next.map((message) => ({ message })),
    next,
    body,
    origins: Int32Array.from(next, (_, i) => i),
  }
  const talks = document.talks.map((one) => (one.id === talk.id ? talk : one))
  return { ...document, talks, applied: [...document.applied, ...patch] }
}

function repairedName(name: string, isChanged: boolean): string {
  if (!isChanged) return name
  const dot = name.lastIndexOf('.')
  return dot > 0 ? `${name.slice(0, dot)}.repaired${name.slice(dot)}` : `${name}.repaired`
}

interface Question {
  readonly id: number
  readonly call: keyof Api
  readonly args: readonly unknown[]
}

addEventListener('message', async ({ data }: MessageEvent<Question>) => {
  const { id, call, args } = data
  try {
    const value = await (api[call] as (...all: readonly unknown[]) => unknown)(...args)
    postMessage({ id, value })
  } catch (error) {
    postMessage({ id, error: (error as Error).message })
  }
})
