export type { Fault } from './faults.ts'
export { type ContractFetch, contractFetch } from './fetch.ts'
export { PROVIDERS } from './providers.ts'
export { type RunningContract, type ServerOptions, startContract } from './server.ts'
export type {
  Answer,
  IncomingRequest as Ask,
  CallPart,
  Contract,
  ContractOptions,
  Ending,
  Part,
  ReasoningPart,
  Reply,
  RequestRecord,
  Step,
  Stop,
  TextPart,
  Usage,
} from './types.ts'
