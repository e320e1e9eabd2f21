/**
 * `suture/openai-agents`: a session of the OpenAI Agents SDK in a Suture store, and an input filter for runs with other
 * sessions. Stored items are never rewritten; the items that the model gets are always valid.
 */
import type { AgentInputItem, CallModelInputFilter, SessionHistoryTransactionAwareSession } from '@openai/agents'
import { isSynthetic, own, split } from '../core/index.ts'
import { checkOptions } from '../core/options.ts'
import { openSession, type Session, type Store } from '../session.ts'
import { agentsItems, agentsProvider } from './openai-agents-items.ts'
import { INTEGRATION_OPTIONS, type IntegrationOptions, repairFor } from './repair-for.ts'

/** Options of `repairInput`. */
export type RepairInputOptions = IntegrationOptions<AgentInputItem>

/**
 * For `run(agent, input, { callModelInputFilter: repairInput() })`. Repairs the sent items; the session keeps its
 * items.
 */
export function repairInput(options: RepairInputOptions = {}): CallModelInputFilter {
  checkOptions('repairInput', options, INTEGRATION_OPTIONS)
  return ({ modelData }) => ({ ...modelData, input: repairFor(agentsProvider, modelData.input, options) })
}

/** A session of the SDK on a Suture store: `run(agent, input, { session: await durableSession(store, 'chat-1') })`. */
export async function durableSession(store: Store, id: string): Promise<SessionHistoryTransactionAwareSession> {
  const session = await openSession(store, id, { provider: agentsProvider, strict: true })
  const add = (items: readonly AgentInputItem[], operationId?: string) =>
    session.append(items, { expectedHead: 'any', ...(operationId === undefined ? {} : { operationId }) })
  return {
    getSessionId: async () => id,
    getItems: async (limit) => {
      await session.refresh()
      return newest((await session.history()) as AgentInputItem[], limit)
    },
    addItems: async (items) => {
      if (items.length > 0) await add(items)
    },
    popItem: () => pop(session),
    clearSession: () => session.forget(),
    applyHistoryTransaction: async ({ operationId, transaction }) => {
      if (transaction.type === 'append_items') await add(transaction.items, operationId)
      else await replaceSuffix(session, transaction, operationId)
    },
  }
}

/** At least this many of the latest items: a cut never divides a pair or a turn's calls. */
function newest(items: AgentInputItem[], limit: number | undefined): AgentInputItem[] {
  if (limit === undefined || limit >= items.length) return items
  return limit <= 0 ? [] : [...split(items, agentsItems, { minKeep: limit }).tail]
}

/** Removes the latest item from the view, with a synthetic result that only belonged to it. It stays in the log. */
async function pop(session: Session): Promise<AgentInputItem | undefined> {
  await session.refresh()
  const { history, upTo, prefixHash } = await session.view()
  const at = history.findLastIndex((item) => !isSyntheticResult(item))
  if (at < 0) return undefined
  const patch = [{ op: 'splice' as const, path: [], index: at, remove: history.slice(at), insert: [] }]
  await session.replace(patch, { by: 'openai-agents', why: 'popItem', upTo, prefixHash })
  return history[at] as AgentInputItem
}

function isSyntheticResult(item: unknown): boolean {
  const output = own(item, 'output')
  const text = own(output, 'text') ?? output
  return typeof text === 'string' && isSynthetic(text)
}

interface Suffix {
  readonly expectedSuffix: readonly AgentInputItem[]
  readonly replacement: readonly AgentInputItem[]
}

async function replaceSuffix(session: Session, { expectedSuffix, replacement }: Suffix, operationId: string) {
  await session.refresh()
  const { history, upTo, prefixHash } = await session.view()
  const index = history.length - expectedSuffix.length
  const remove = history.slice(Math.max(index, 0))
  if (JSON.stringify(remove) !== JSON.stringify(expectedSuffix))
    throw new Error(
      `Session ${session.id} does not end with the ${expectedSuffix.length} items to be replaced. Read it again.`,
    )
  const patch = [{ op: 'splice' as const, path: [], index, remove, insert: replacement }]
  await session.replace(patch, { by: 'openai-agents', why: 'replace_suffix', upTo, prefixHash, operationId })
}

export { agentsItems, agentsProvider }
