/** Checking and repairing session files for the commands. */
export type { CheckOptions } from './check-file.ts'
export {
  CHECK_OPTIONS,
  checkAll,
  checkOptionsOf,
  exitCodeOf,
  REPORT_OPTIONS,
  reportOptionsOf,
  sessionsIn,
  TARGET_OPTIONS,
} from './check-run.ts'
export { docsPage, withDocsPages } from './docs-page.ts'
export { doctorReport } from './doctor-report.ts'
export { explained } from './explain-text.ts'
export { writeLostFound } from './lost-found.ts'
export { COSTS, nextSteps, type Step, stepLines } from './next-steps.ts'
export { firstInput } from './piped-text.ts'
export { isWanted, plainFinding } from './plain-finding.ts'
export { shortId } from './redact.ts'
export { type Planned, planFile, planInput } from './repair-plan.ts'
export { leftLines, plansAsJson, printPlan } from './repair-report.ts'
export { checkWritable, writeInPlace, writeOut } from './repair-write.ts'
export {
  doubtOf,
  type FileReport,
  type Listed,
  MOST_FINDINGS,
  type ReportFinding,
  type RunReport,
  type Stamp,
  totalsOf,
} from './report.ts'
export { ruleNames, ruleTexts } from './rule-names.ts'
export { watchFiles } from './watch.ts'
