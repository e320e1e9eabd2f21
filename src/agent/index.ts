/**
 * `suture/agent`: a small tool-calling loop that keeps a session whole through abort, crash and error.
 */
export type { LanguageModel } from './ai-sdk.ts'
export type { Schema, StandardSchema } from './schema.ts'
export { type SubagentOptions, subagent } from './subagent.ts'
export { resumeTurn, runTurn } from './turn.ts'
export type {
  About,
  Approval,
  Call,
  Compaction,
  Outcome,
  Prompt,
  ResultWhy,
  Tool,
  Turn,
  TurnEvent,
  TurnOptions,
} from './types.ts'
