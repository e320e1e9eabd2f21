/**
 * Prints after a run what was skipped and why, a line for each file and reason. A skipped test without a reason makes
 * the run fail.
 */
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { reasonIn } from './skip-reasons.ts'

export default class SkipReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>()
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        // A name pattern on the command line leaves the others out without a reason.
        if (test.project.config.testNamePattern && reasonOf(test) === undefined) continue
        const line = `${module.relativeModuleId}: ${reasonOf(test) ?? `NO REASON GIVEN: ${test.fullName}`}`
        counts.set(line, (counts.get(line) ?? 0) + 1)
      }
    }
    if (counts.size === 0) return
    console.log('\nSkipped tests')
    for (const [line, count] of counts) console.log(`  ${count} in ${line}`)
    if ([...counts.keys()].some((line) => line.includes('NO REASON GIVEN'))) process.exitCode = 1
  }
}

function reasonOf(test: TestCase): string | undefined {
  const result = test.result()
  return (result.state === 'skipped' ? result.note : undefined) ?? reasonIn(test.fullName)
}
