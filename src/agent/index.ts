/** A small tool-calling loop that keeps a session whole through abort, crash and error. */
export type { LanguageModel } from '../guard/ask-model.ts'
export type { CallContext, Schema, StandardSchema, Tool } from '../tools/index.ts'
export { type SubagentOptions, subagent } from './subagent.ts'
export { resumeTurn, runTurn } from './turn.ts'
export type * from './types.ts'
