/**
 * `suture/langchain`: repairs the messages of a LangChain agent before each model call and stores the repair in its
 * state, once. Calls that wait for an approval are not affected: LangGraph does not call the model before it is
 * resumed, and `repairThread` leaves such threads alone.
 */
import { type BaseMessage, RemoveMessage } from '@langchain/core/messages'
import { REMOVE_ALL_MESSAGES } from '@langchain/langgraph'
import { createMiddleware } from 'langchain'
import { isObject } from '../core/index.ts'
import { type Check, checkOptions, checkValue } from '../core/options.ts'
import type { Dialect, Provider } from '../index.ts'
import { langchain as inProcess } from '../providers/in-process.ts'
import type { Constraints } from '../rules/index.ts'
import { INTEGRATION_OPTIONS, type IntegrationOptions, repairFor } from './repair-for.ts'

/** Options of `repairMiddleware`. */
export type RepairMiddlewareOptions = IntegrationOptions<BaseMessage>

/**
 * The dialect as LangChain's clients send it: results stay in place, although every provider requires them directly
 * after their calls.
 */
function asSent(dialect: Dialect): Dialect {
  const variantFor = (history: readonly unknown[]) => asSent(dialect.variantFor?.(history) ?? dialect)
  return { ...dialect, resultPlacement: 'after-assistant-run', read: readSent(dialect), variantFor }
}

/** A malformed call is sent only if a block of the content has it too. A result for any other would have no call. */
function readSent({ read }: Dialect): Dialect['read'] {
  return (message, index, parts) => {
    const start = parts.length
    const role = read(message, index, parts)
    const own = parts.splice(start)
    const isSent = (id: unknown) =>
      own.some(({ kind, value }) => kind === 'opaque' && isObject(value) && value['id'] === id)
    parts.push(...own.filter(({ type, kind, id }) => type !== 'invalid_tool_call' || kind !== 'call' || isSent(id)))
    return role
  }
}

/** An agent sends the messages after a call unchanged. */
const adjacent = { 'tool-result-not-adjacent': { evidence: 'documented' } } satisfies Constraints
const { dialect, constraints } = inProcess.serves[0]!
const agentProvider: Provider = {
  ...inProcess,
  serves: [{ dialect: asSent(dialect), constraints: { ...constraints, ...adjacent } }],
}

/** The messages as every model accepts them; the same array if nothing is wrong. */
export function repairMessages(messages: readonly BaseMessage[], options: RepairMiddlewareOptions = {}) {
  checkOptions('repairMessages', options, INTEGRATION_OPTIONS)
  return repairFor(agentProvider, messages, options)
}

/** A state update that replaces all messages; undefined if nothing is wrong. */
function updateFor(messages: readonly BaseMessage[], options: RepairMiddlewareOptions) {
  const now = repairMessages(messages, options)
  return now === messages ? undefined : { messages: [new RemoveMessage({ id: REMOVE_ALL_MESSAGES }), ...now] }
}

/** For `createAgent({ middleware: [repairMiddleware()] })`. Put it before middleware that trims or summarizes. */
export function repairMiddleware(options: RepairMiddlewareOptions = {}) {
  checkOptions('repairMiddleware', options, INTEGRATION_OPTIONS)
  return createMiddleware({
    name: 'SutureRepair',
    beforeModel: (state) => updateFor(state.messages, options),
  })
}

interface Task {
  readonly interrupts?: readonly unknown[]
}

/** What `repairThread` needs of a compiled graph: `agent.graph` of `createAgent`, or a `StateGraph` of your own. */
export interface ThreadOwner<Config> {
  getState(config: Config): Promise<{
    readonly values: unknown
    readonly next: readonly string[]
    readonly tasks: readonly Task[]
  }>
  updateState(config: Config, values: unknown): Promise<unknown>
}

const isThreadOwner: Check = (value) => {
  const { getState, updateState } = (value ?? {}) as Partial<ThreadOwner<unknown>>
  return typeof getState === 'function' && typeof updateState === 'function'
    ? undefined
    : 'a graph with getState and updateState'
}

/** What `repairThread` did; `waiting`: it left the thread as it is. */
export type ThreadRepair = 'valid' | 'repaired' | 'waiting'

/**
 * Repairs the stored messages of a thread that fails on every turn. A thread that waits for an approval or has steps to
 * do is left as it is (`waiting`): resume it, or pass `abandon: true` to give up its open calls.
 */
export async function repairThread<Config>(
  graph: ThreadOwner<Config>,
  config: Config,
  options: RepairMiddlewareOptions & { readonly abandon?: boolean } = {},
): Promise<ThreadRepair> {
  checkValue('The graph', graph, isThreadOwner, 'Pass agent.graph or a compiled StateGraph.')
  checkOptions('repairThread', options, { ...INTEGRATION_OPTIONS, abandon: 'boolean' })
  const { abandon = false, ...how } = options
  const { values, next, tasks } = await graph.getState(config)
  const isWaiting = next.length > 0 || tasks.some(({ interrupts }) => (interrupts?.length ?? 0) > 0)
  if (isWaiting && !abandon) return 'waiting'
  const { messages = [] } = (values ?? {}) as { messages?: readonly BaseMessage[] }
  const update = updateFor(messages, how)
  if (!update) return 'valid'
  await graph.updateState(config, update)
  return 'repaired'
}
