/** Helpers for tests of rules, dialects and stores. Needs Vitest, and fast-check for the arbitraries. */

export { brokenHistory, switchedHistory, validHistory } from './arbitraries.ts'
export { type Corruption, conversation, corruptions, Random } from './corruptions/index.ts'
export { frozen } from './frozen.ts'
export {
  type DialectId,
  dialectIds,
  expressible,
  forms,
  history,
  type Notation,
  parseHistory,
  printHistory,
} from './notation/index.ts'
export { checkPromises } from './promises.ts'
export type { Switched } from './random/dialect-switch.ts'
export type { StoreHarness } from './store-pieces.ts'
export { type DialectTable, testDialect } from './test-dialect.ts'
export {
  type Case,
  type CaseObject,
  type CaseOptions,
  type InvalidCase,
  type RuleTable,
  testRule,
} from './test-rule.ts'
export { testStore } from './test-store.ts'
