/**
 * The entry point `suture/agent`. Checks arguments before a turn starts: wrong ones throw, a failed turn is an outcome.
 */
import {
  type Approvals,
  subagent as agentAsTool,
  type Prompt,
  resumeTurn as resume,
  runTurn as run,
  type SubagentOptions,
  type Tool,
  type Turn,
  type TurnOptions,
} from './agent/index.ts'
import { type Check, checkOptions, checkValue, nested, type OptionTable } from './core/options.ts'
import { isModel } from './guard/ask-model.ts'
import { GUARD_OPTIONS } from './guard/options.ts'
import { checkMessages } from './session/check-messages.ts'
import type { Session } from './session/index.ts'
import { isSession } from './session/session-options.ts'
import { areTools } from './tools/index.ts'

export type * from './agent/index.ts'

const isModelOrName: Check = (value) =>
  (typeof value === 'string' && value !== '') || isModel(value)
    ? undefined
    : 'the name of a model, or a language model of the AI SDK'

const { provider: _provider, dialect: _dialect, onReply: _onReply, ...GUARD } = GUARD_OPTIONS

const TURN_OPTIONS: OptionTable<TurnOptions> = {
  model: isModelOrName,
  url: 'string',
  headers: 'object',
  fetch: 'function',
  body: 'object',
  idleTimeoutMs: 'positive',
  guard: nested('guard', GUARD),
  system: 'string',
  tools: areTools,
  signal: 'object',
  maxSteps: 'positive',
  maxParallelTools: 'positive',
  toolTimeoutMs: 'positive',
  maxRetries: 'number',
  maxIdenticalCalls: 'number',
  approve: 'function',
  compact: 'function',
  owner: 'name',
  takeOver: 'boolean',
}

type ResumeOptions = TurnOptions & { readonly approvals?: Approvals }
const RESUME_OPTIONS: OptionTable<ResumeOptions> = { ...TURN_OPTIONS, approvals: 'object' }

const { signal: _signal, toolTimeoutMs: _toolTimeoutMs, ...WORK } = TURN_OPTIONS
const SUBAGENT_OPTIONS: OptionTable<SubagentOptions> = {
  ...WORK,
  name: 'name',
  description: 'string',
  session: 'function',
  timeoutMs: 'positive',
}

/** Runs one turn, until the model has answered. Turns of one session wait for each other. */
export function runTurn<Message = unknown>(
  session: Session<Message>,
  prompt: Prompt<NoInfer<Message>>,
  options: TurnOptions,
): Turn {
  checkSession('runTurn', session)
  if (typeof prompt !== 'string') checkMessages(prompt, 'A prompt that is not a string')
  checkModel('runTurn', options, TURN_OPTIONS)
  return run(session as Session, prompt, options)
}

/** Continues without a new prompt: after a crash or an incomplete answer, or with approvals for waiting calls. */
export function resumeTurn<Message = unknown>(session: Session<Message>, options: ResumeOptions): Turn {
  checkSession('resumeTurn', session)
  checkModel('resumeTurn', options, RESUME_OPTIONS)
  return resume(session as Session, options)
}

/** A tool that runs another agent. Its answer is the result; if it fails or is aborted, the call fails. */
export function subagent(options: SubagentOptions): Tool {
  checkModel('subagent', options, SUBAGENT_OPTIONS)
  const { name, session } = options
  checkValue('Option "name" of subagent', name, 'name')
  const step = 'Pass a function that returns a session: () => openSession(store, id, { provider }).'
  checkValue('Option "session" of subagent', session, 'function', step)
  return agentAsTool(options)
}

function checkSession(of: string, session: unknown): void {
  checkValue(`The session of ${of}`, session, isSession, 'Open one first: await openSession(store, id, { provider }).')
}

/** Options with a model. */
function checkModel(of: string, options: unknown, table: OptionTable<object>): void {
  checkValue(`The options of ${of}`, options, 'object', "Name the model and its address: { model: 'gpt-5', url }.")
  checkOptions(of, options, table)
  checkValue(`Option "model" of ${of}`, (options as { model?: unknown }).model, isModelOrName)
}
