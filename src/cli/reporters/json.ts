/** One JSON document for the whole run. */
import { totalsOf } from '../doctor/index.ts'
import type { Reporter } from './index.ts'
import { machineFile, REPORT_SCHEMA } from './machine.ts'

export const json: Reporter = ({ command, version, files, leftOut }, options) =>
  JSON.stringify(
    {
      tool: 'suture',
      schema: REPORT_SCHEMA,
      version,
      command,
      totals: { ...totalsOf(files), leftOut },
      files: files.map((one) => machineFile(one, options)),
    },
    null,
    2,
  )
