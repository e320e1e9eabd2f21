/**
 * Evaluates a run of an agent through the gateway: which bodies were changed, which findings were false, which requests
 * the contract rejected.
 */
import { contractFetch, type RequestRecord } from '../../contract/index.ts'
import type { Exchange, Fact } from './types.ts'

/** A request to a model; agents also ask for lists of models, token counts and the like. */
export function isModelRequest({ method, path }: Pick<Exchange, 'method' | 'path'>): boolean {
  const [name = ''] = path.split('?')
  return method === 'POST' && /\/(messages|responses|chat\/completions)$|:(stream)?generateContent$/i.test(name)
}

export function unchangedOf(sent: readonly Exchange[], received: readonly RequestRecord[]): number {
  return sent.length - changedOf(sent, received).length
}

/** A conversation that only grows stays in one session; each branch is one more. */
export function branchesOf(sent: readonly Exchange[]): number {
  return new Set(sent.map(({ answer }) => answer?.['suture-session']).filter(Boolean)).size
}

function changedOf(sent: readonly Exchange[], received: readonly RequestRecord[]): Exchange[] {
  const arrived = new Set(received.map(({ bytes }) => Buffer.from(bytes).toString('latin1')))
  return sent.filter(({ body }) => !arrived.has(body.toString('latin1')))
}

export async function factsOf(sent: readonly Exchange[], received: readonly RequestRecord[]): Promise<Fact[]> {
  const model = sent.filter(isModelRequest)
  const changed = changedOf(model, received).map((one) => fact('changed', one, changeOf(one)))
  const found = await Promise.all(model.filter(hasFindings).map(findingFact))
  const errors = sent.filter(isOwnError).map((one) => fact('gateway-error', one, ownError(one)))
  const rejected = received.flatMap(({ path, verdict }): Fact[] =>
    verdict && !verdict.accepted ? [{ kind: 'rejected', path, detail: `${verdict.rule}: ${verdict.message}` }] : [],
  )
  return [...changed, ...found, ...errors, ...rejected]
}

function fact(kind: Fact['kind'], { path }: Exchange, detail: string): Fact {
  return { kind, path: path.split('?')[0] ?? '', detail }
}

function hasFindings({ answer }: Exchange): boolean {
  return (answer?.['suture-findings'] ?? '') !== ''
}

function changeOf({ answer, status }: Exchange): string {
  const parts = [answer?.['suture-findings'], answer?.['suture-recovery'] && `recovery: ${answer['suture-recovery']}`]
  return parts.filter(Boolean).join('; ') || `no finding named (answer ${status ?? 'none'})`
}

/** 426 to a WebSocket is an answer that clients know how to handle. */
function isOwnError({ answer, status }: Exchange): boolean {
  return answer?.['suture-error'] !== undefined && status !== 426
}

function ownError({ method, path, status, answer }: Exchange): string {
  return `${method} ${path.split('?')[0]}: ${status} ${answer?.['suture-error']}`
}

/** A finding on bytes that the contract accepts is a false error. */
async function findingFact(exchange: Exchange): Promise<Fact> {
  const judged = contractFetch({ script: [{ text: 'judged' }] })
  const headers = Object.fromEntries(Object.entries(exchange.headers).filter(([name]) => !HOP.has(name)))
  const { path, body } = exchange
  await judged(`http://contract${path}`, { method: 'POST', headers, body: new Uint8Array(body) })
  const accepted = judged.requests.at(-1)?.verdict?.accepted === true
  return fact(accepted ? 'false-error' : 'repaired', exchange, exchange.answer?.['suture-findings'] ?? '')
}

const HOP = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'expect', 'upgrade', 'keep-alive'])
