/** The thread that runs cases and sends failures. The main thread ends it if a case does not end. */
import { parentPort, workerData } from 'node:worker_threads'
import { randomFrom } from '../../test/session-files/damage.ts'
import { commands } from './commands.ts'
import { errorTexts } from './error-texts.ts'
import { gatewayRequests } from './gateway.ts'
import { histories } from './histories.ts'
import { minimized, problemOf, signatureOf } from './minimize.ts'
import { sessionFiles } from './session-files.ts'
import type { Input, Random, Surface } from './surface.ts'

export interface Order {
  readonly seed: number
  /** The first case. */
  readonly from: number
  /** When to stop, as `Date.now()` has it. */
  readonly until: number
  /** Only these surfaces. */
  readonly only: readonly string[]
  readonly folder?: string | undefined
  /** Only this case of the first surface. */
  readonly one?: number | undefined
}

/** What the thread sends. `started` before each case, so that a hang can be named. */
export type Report =
  | { readonly kind: 'started'; readonly surface: string; readonly number: number }
  | {
      readonly kind: 'failed'
      readonly surface: string
      readonly number: number
      readonly problem: string
      readonly input: Input
    }
  | { readonly kind: 'ended'; readonly counts: Readonly<Record<string, number>> }

export function surfacesOf({ only, folder }: Pick<Order, 'only' | 'folder'>): readonly Surface[] {
  const all = [histories, sessionFiles(folder), commands(folder), errorTexts, gatewayRequests()]
  return only.length === 0 ? all : all.filter(({ name }) => only.includes(name))
}

/** The same case for the same seed and number, whatever ran before. */
export function randomOf(seed: number, number: number): Random {
  return randomFrom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b))
}

export async function runCases(order: Order, send: (report: Report) => void): Promise<void> {
  const surfaces = surfacesOf(order)
  const counts: Record<string, number> = {}
  const seen = new Set<string>()
  const last = order.one ?? Number.POSITIVE_INFINITY
  for (let number = order.one ?? order.from; number <= last && Date.now() < order.until; number++) {
    for (const surface of surfaces) {
      send({ kind: 'started', surface: surface.name, number })
      const input = surface.make(randomOf(order.seed, number))
      const problem = await problemOf(surface, input)
      counts[surface.name] = (counts[surface.name] ?? 0) + 1
      if (problem === undefined) continue
      const signature = signatureOf(problem)
      if (seen.has(signature)) continue
      seen.add(signature)
      const small = await minimized(surface, input, signature)
      send({
        kind: 'failed',
        surface: surface.name,
        number,
        problem: (await problemOf(surface, small)) ?? problem,
        input: small,
      })
    }
    if (number % 50 === 0) await new Promise(setImmediate)
  }
  for (const surface of surfaces) await surface.close?.()
  send({ kind: 'ended', counts })
}

if (parentPort && workerData?.fuzz) {
  const port = parentPort
  await runCases(workerData.fuzz as Order, (report) => port.postMessage(report))
}
