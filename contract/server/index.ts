export type { Fault } from './faults.ts'
export { type ContractFetch, contractFetch } from './fetch.ts'
export { PROVIDERS } from './providers.ts'
export { type RunningContract, type ServerOptions, startContract } from './server.ts'
export type {
  Answer,
  CallPart,
  Contract,
  ContractOptions,
  Ending,
  IncomingRequest as Ask,
  Part,
  ReasoningPart,
  Reply,
  RequestRecord,
  Step,
  Stop,
  TextPart,
  Usage,
} from './types.ts'
