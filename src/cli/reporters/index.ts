/** Reporters by name. Each turns a run into text; `--format sarif=out.sarif` writes it to a file. */
import { existsSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { checkRegular } from '../../session-files/node/regular-file.ts'
import type { Context } from '../command.ts'
import type { RunReport } from '../doctor/index.ts'
import { escapeControls } from '../terminal/index.ts'

export interface ReportOptions {
  readonly withText: boolean
  readonly colors: boolean
  readonly quiet: boolean
  /** How many findings of one file are printed. */
  readonly maxFindings: number
  /** Paths are given relative to it. */
  readonly cwd: string
}

export type Reporter = (run: RunReport, options: ReportOptions) => string

const reporters = {
  readable: async () => (await import('./readable.ts')).readable,
  json: async () => (await import('./json.ts')).json,
  jsonl: async () => (await import('./jsonl.ts')).jsonl,
  sarif: async () => (await import('./sarif.ts')).sarif,
  github: async () => (await import('./github.ts')).github,
  gitlab: async () => (await import('./gitlab.ts')).gitlab,
  junit: async () => (await import('./junit.ts')).junit,
  summary: async () => (await import('./summary.ts')).summary,
} satisfies Record<string, () => Promise<Reporter>>

export const reporterNames = Object.keys(reporters)

/** Prints or writes a run in each of these formats. The option `format` has checked their names. */
export async function report(
  run: RunReport,
  formats: readonly string[],
  options: ReportOptions,
  context: Context,
  readable?: Reporter,
): Promise<void> {
  for (const wanted of formats.length === 0 ? ['readable'] : formats) {
    const [name = '', file] = wanted.split(/=(.*)/s)
    const reporter = name === 'readable' && readable ? readable : await reporters[name as keyof typeof reporters]()
    const text = reporter(run, file === undefined ? options : { ...options, colors: false })
    if (file === undefined) {
      if (text !== '') context.out(text)
    } else writeReport(resolve(context.host.cwd, file), escapeControls(`${text}\n`))
  }
}

/** Replaces an earlier report. Rejects a pipe: opening it would wait for its reader. */
function writeReport(path: string, text: string): void {
  if (existsSync(path)) checkRegular(path)
  writeFileSync(path, text)
}
