/**
 * The promises of repair, or with --compact of compaction, over random histories; then mutated histories, session
 * files, commands and requests to the gateway. With --runs only the promises, with --minutes only the mutations.
 * Usage: npm run fuzz -- [--runs 100000] [--minutes 10] [--seed 1] [--dialect gemini] [--provider vertex] [--compact]
 *   [--surface NAME] [--case N] [--input FILE] [--files FOLDER]
 */
import { parseArgs } from 'node:util'
import { isMainThread } from 'node:worker_threads'
import { fuzzMutations, runStored } from './fuzz/mutations.ts'
import { fuzzPromises } from './fuzz/promises.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string' },
    minutes: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
    dialect: { type: 'string' },
    provider: { type: 'string' },
    compact: { type: 'boolean', default: false },
    /** histories, session-files, commands, error-texts, gateway. */
    surface: { type: 'string', multiple: true, default: [] },
    /** One case of a surface, as a failure names it. */
    case: { type: 'string' },
    /** The file of a failure. */
    input: { type: 'string' },
    /** A folder with more session files to mutate. */
    files: { type: 'string' },
  },
})

async function failures(): Promise<number> {
  if (values.input !== undefined) return runStored(values.input)
  const seed = Number(values.seed)
  const one = values.case === undefined ? undefined : Number(values.case)
  const isMutations = values.minutes !== undefined || one !== undefined || values.surface.length > 0
  const { dialect, provider, compact } = values
  const promises =
    isMutations && values.runs === undefined
      ? 0
      : fuzzPromises({ runs: Number(values.runs ?? 100_000), seed, dialect, provider, compact })
  if (!isMutations && (values.runs !== undefined || dialect !== undefined || provider !== undefined || compact))
    return promises
  const minutes = Number(values.minutes ?? 10)
  return promises + (await fuzzMutations({ minutes, seed, only: values.surface, folder: values.files, one }))
}

if (isMainThread) process.exitCode = (await failures()) > 0 ? 1 : 0
