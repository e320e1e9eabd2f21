import { between } from './between.ts'
import { calls } from './calls.ts'
import { contents } from './contents.ts'
import { copies } from './copies.ts'
import { cuts } from './cuts.ts'
import { switches } from './switches.ts'
import { thinking } from './thinking.ts'
import type { Corruption } from './types.ts'

export { conversation } from './conversation.ts'
export { Random } from './random.ts'
export type { Corruption } from './types.ts'

/** Ways in which real histories broke, each as a seeded function: for tests of a repair, a store or an agent. */
export const corruptions: readonly Corruption[] = [
  ...cuts,
  ...between,
  ...copies,
  ...contents,
  ...calls,
  ...thinking,
  ...switches,
]
