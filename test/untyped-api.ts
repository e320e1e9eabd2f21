/**
 * The public functions with loose types, for tests that take names, options and histories from tables. The types
 * themselves are tested in test/types.
 */
import * as compaction from '../src/compact.ts'
import { type FetchOptions, guard as typedGuard } from '../src/guard/index.ts'
import type {
  Dialect,
  Finding,
  Group,
  Provider,
  Repaired,
  RepairOptions,
  RoundDropped,
  RoundRef,
  Split,
} from '../src/index.ts'
import * as suture from '../src/index.ts'
import type { Session, Store } from '../src/session/index.ts'
import { type OpenOptions, openSession as typedOpenSession } from '../src/session.ts'

/** Options whose names are plain strings. */
export type ByName<T> = Omit<T, 'provider' | 'dialect' | 'rejectedBy' | 'model'> & {
  readonly provider: string | Provider
  readonly dialect?: string | Dialect | undefined
  readonly rejectedBy?: readonly string[] | undefined
  readonly model?: string | undefined
}

export type NamedOptions = ByName<RepairOptions>

type Grouping = (history: readonly unknown[], options?: { dialect?: string | Dialect | undefined }) => readonly Group[]

export const lint = suture.lint as (history: unknown, options: NamedOptions) => readonly Finding[]
export const repair = suture.repair as <T>(history: T, options: NamedOptions) => Repaired<T>
export const turns = suture.turns as Grouping
export const rounds = suture.rounds as Grouping
export const dropRound = suture.dropRound as <T>(
  history: T,
  round: RoundRef,
  options?: Partial<NamedOptions>,
) => RoundDropped<T>
export const split = suture.split as <T>(
  history: readonly T[],
  options: { readonly minKeep: number; readonly maxKeep?: number; readonly dialect?: string | Dialect | undefined },
) => Split<T>

export const plan = compaction.plan as unknown as <T>(
  history: T,
  options: ByName<compaction.CompactOptions>,
) => ReturnType<typeof compaction.plan<T & object>>
export const compact = compaction.compact as unknown as <T>(
  history: T,
  options: ByName<compaction.CompactOptions>,
) => compaction.Compacted<T>
export const compactWith = compaction.compactWith as unknown as <T>(
  history: T,
  options: ByName<compaction.CompactWithOptions>,
) => Promise<compaction.Compacted<T>>

export const openSession = typedOpenSession as <Message = unknown>(
  store: Store,
  id: string,
  options: ByName<OpenOptions>,
) => Promise<Session<Message>>

export const guard = typedGuard as (
  options?: Omit<FetchOptions, 'provider'> & { readonly provider?: string | FetchOptions['provider'] },
) => ReturnType<typeof typedGuard>
