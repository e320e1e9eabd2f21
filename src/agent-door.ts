/**
 * The door `suture/agent`: turns whose arguments are checked before anything runs. Afterwards a failure is an outcome; wrong use is not one.
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
import type { Session } from './session/index.ts'
import { checkMessages } from './session/messages.ts'
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
  stall: 'positive',
  guard: nested('guard', GUARD),
  system: 'string',
  tools: areTools,
  signal: 'object',
  steps: 'positive',
  parallel: 'positive',
  timeout: 'positive',
  retries: 'number',
  sameCalls: 'number',
  approve: 'function',
  compact: 'function',
  owner: 'name',
  takeOver: 'boolean',
}

type ResumeOptions = TurnOptions & { readonly approvals?: Approvals }
const RESUME_OPTIONS: OptionTable<ResumeOptions> = { ...TURN_OPTIONS, approvals: 'object' }

const { signal: _signal, timeout: _timeout, ...WORK } = TURN_OPTIONS
const SUBAGENT_OPTIONS: OptionTable<SubagentOptions> = {
  ...WORK,
  name: 'name',
  description: 'string',
  session: 'function',
  limit: 'positive',
}

/** Runs one turn: the prompt, and all it takes until the model has answered. Turns of one session wait for each other. */
export function runTurn(session: Session, prompt: Prompt, options: TurnOptions): Turn {
  checkSession('runTurn', session)
  if (typeof prompt !== 'string') checkMessages(prompt, 'A prompt that is no string')
  checkModel('runTurn', options, TURN_OPTIONS)
  return run(session, prompt, options)
}

/** Goes on without a new prompt: after a crash or an answer that broke off, or with a person's answers to calls that wait. */
export function resumeTurn(session: Session, options: ResumeOptions): Turn {
  checkSession('resumeTurn', session)
  checkModel('resumeTurn', options, RESUME_OPTIONS)
  return resume(session, options)
}

/** A tool that hands a task on. What it answers is the result; its abort and its failure are a failed one. */
export function subagent(options: SubagentOptions): Tool {
  checkModel('subagent', options, SUBAGENT_OPTIONS)
  const { name, session } = options
  checkValue('Option "name" of subagent', name, 'name')
  const step = 'It gives the session to work in: () => openSession(store, id, { provider }).'
  checkValue('Option "session" of subagent', session, 'function', step)
  return agentAsTool(options)
}

function checkSession(of: string, session: unknown): void {
  checkValue(`The session of ${of}`, session, isSession, 'Open one first: await openSession(store, id, { provider }).')
}

/** Options that say which model is asked. */
function checkModel(of: string, options: unknown, table: OptionTable<object>): void {
  checkValue(`The options of ${of}`, options, 'object', "Say which model is asked, and where: { model: 'gpt-5', url }.")
  checkOptions(of, options, table)
  checkValue(`Option "model" of ${of}`, (options as { model?: unknown }).model, isModelOrName)
}
