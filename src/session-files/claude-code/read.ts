/**
 * Reads a Claude Code session file: its conversations, the main one first, and which records each of them leaves out.
 */

import { text } from '../json-values.ts'
import { salvage } from '../salvage/index.ts'
import { Attached } from '../shared/attached.ts'
import { sessionFile } from '../shared/session-file.ts'
import type { Conversation, ExcludedBecause, FileInput, Reach, SessionFile } from '../types.ts'
import { Chain } from './chain.ts'
import { buildHistory } from './history.ts'
import { classify, isBoundary, isEnvelope, type Link, linksOf } from './records.ts'

export const ID = 'claude-code'

/** What `write` and `check` need of a conversation that was read. */
interface ReadConversation {
  readonly chain: Chain
  readonly path: readonly Link[]
}

const details = new Attached<Conversation, ReadConversation>()

export function detailsOf(conversation: Conversation): ReadConversation | undefined {
  return details.get(conversation)
}

export function read(input: FileInput): SessionFile {
  const lines = salvage(input.bytes, classify, { envelope: isEnvelope })
  const { records } = lines
  const chain = new Chain(linksOf(records))
  const first = chain.links[0]?.record.value
  const versioned = chain.links.findLast(({ record }) => text(record.value, 'version') !== undefined)
  return sessionFile(ID, input, lines, conversationsIn(chain, input), {
    version: text(versioned?.record.value, 'version'),
    sessionId: text(records.find(({ value }) => text(value, 'sessionId') !== undefined)?.value, 'sessionId'),
    cwd: text(first, 'cwd'),
  })
}

export function conversations({ records, input }: SessionFile): readonly Conversation[] {
  return conversationsIn(new Chain(linksOf(records)), input)
}

function conversationsIn(chain: Chain, input: FileInput): readonly Conversation[] {
  const first = chain.links[0]?.record.value
  const own = chain.groups().flatMap((group) => conversationOf(chain, group, first) ?? [])
  const siblings = [...(input.siblings ?? [])].flatMap(([path, bytes]) => subAgents(path, bytes))
  return [...own, ...siblings]
}

/** Conversations of a sub-agent's file. They are only shown here: that file is repaired when it is opened. */
function subAgents(path: string, bytes: Uint8Array): readonly Conversation[] {
  const name = /(agent-[^/\\]{0,200})\.jsonl$/.exec(path)?.[1]
  if (name === undefined) return []
  return read({ bytes, path }).conversations.map((one) => ({
    ...one,
    id: name,
    title: path,
    sources: one.history.map(() => []),
    // Its records are those of the other file.
    reach: { ...one.reach, excluded: [] },
  }))
}

function conversationOf(chain: Chain, group: string, first: unknown): Conversation | undefined {
  const leaf = chain.leaf(group)
  if (!leaf) return undefined
  const path = chain.withParallel(chain.path(leaf))
  const { history, sources } = buildHistory(path)
  const conversation: Conversation = {
    id: group,
    dialect: 'anthropic-messages',
    provider: 'anthropic',
    model: modelOf(path),
    history,
    sources,
    reach: reachOf(chain, group, path),
    agentClosesOpenCalls: closesOpenCalls(text(first, 'version')),
  }
  details.set(conversation, { chain, path })
  return conversation
}

/** Claude Code 2.1 drops open calls when it loads a session. */
function closesOpenCalls(version: string | undefined): boolean {
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number)
  return major > 2 || (major === 2 && minor >= 1)
}

function modelOf(path: readonly Link[]): string | undefined {
  const modelIn = ({ record }: Link) => text((record.value as { message?: unknown }).message, 'model')
  const named = path.findLast((link) => (modelIn(link) ?? '<synthetic>') !== '<synthetic>')
  return named && modelIn(named)
}

function reachOf(chain: Chain, group: string, path: readonly Link[]): Reach {
  // The path is mostly the whole file.
  const on = path.length === chain.links.length ? undefined : new Set(path)
  const root = path[0]
  const dangling = root !== undefined && root.parent !== null && !isBoundary(root)
  const excluded: { record: number; because: ExcludedBecause }[] = []
  let included = 0
  for (const link of chain.links) {
    if (!link.content || (link.group !== group && group !== 'main')) continue
    if (on === undefined || on.has(link)) included++
    else excluded.push({ record: link.record.index, because: reasonOf(chain, link, group, root, dangling) })
  }
  const total = included + excluded.length
  for (const record of chain.superseded) excluded.push({ record, because: 'superseded' })
  return { included, total, excluded }
}

function reasonOf(chain: Chain, link: Link, group: string, root: Link | undefined, dangling: boolean): ExcludedBecause {
  if (link.group !== group) return 'sidechain'
  const before = root !== undefined && link.record.index < root.record.index
  if (before && isBoundary(root)) return 'before-compaction'
  if (before && dangling) return 'dangling-parent'
  return chain.childrenOf(link.parent).some(({ record }) => record.type === 'api_error')
    ? 'dead-branch-after-api-error'
    : 'other-branch'
}
