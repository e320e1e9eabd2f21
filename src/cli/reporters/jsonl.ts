/** One line of JSON for each file, for programs that read a stream. */
import type { Reporter } from './index.ts'
import { machineFile, REPORT_SCHEMA } from './machine.ts'

export const jsonl: Reporter = ({ files }, options) =>
  files.map((one) => JSON.stringify({ schema: REPORT_SCHEMA, ...machineFile(one, options) })).join('\n')
