import { ContractError, checkObject, unknownName } from '../options.ts'
import { isProvider, PROVIDERS } from './providers.ts'
import type { ServerOptions } from './server.ts'
import type { Reply } from './types.ts'

const OPTIONS: Readonly<Record<keyof ServerOptions, readonly string[]>> = {
  provider: ['string'],
  script: ['list'],
  parallelCalls: ['boolean'],
  tokenLimit: ['number'],
  byteLimit: ['number'],
  chance: ['object'],
  maxRequests: ['number'],
  port: ['number'],
}

const REPLY: Readonly<Record<keyof Reply, readonly string[]>> = {
  reasoning: ['string', 'object'],
  text: ['string'],
  calls: ['list'],
  parts: ['list'],
  stop: ['string'],
  finish: ['string'],
  usage: ['object'],
  chunkBytes: ['number'],
  writeBytes: ['number'],
  paceMs: ['number'],
  fault: ['string', 'list'],
}

/** The options of a contract. */
export function checkContract(options: ServerOptions): void {
  checkObject('the options of the contract', options, OPTIONS)
  const { provider, chance } = options
  if (provider !== undefined && !isProvider(provider)) throw unknownName('provider', provider, PROVIDERS)
  if (chance !== undefined && typeof chance.faults !== 'object')
    throw new ContractError('"chance" is { seed: 1, faults: { overflow: 0.1 } }.')
}

/** A step of a script that is not a function. */
export function checkedStep(step: Reply): Reply {
  checkObject('a step of the script', step, REPLY, " Pass { text: 'Hello.' } or a function.")
  return step
}
