/** Strict emulators for LLM providers: would this request be accepted? Shares no code with the library it judges. */

export { type Endpoint, type JudgeRequest, judge, type Verdict } from './judge.ts'
export { ContractError } from './options.ts'
export * from './server/index.ts'
