#!/usr/bin/env node
/** The entry of the command line. Imports only what every command needs; a command is loaded on use. */
import { stopOnSignals } from './signals.ts'
import { VERSION } from './version.ts'

const [first] = process.argv.slice(2)

// Writing to a closed terminal or pipe is ignored.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

if (first === '--version' || first === '-v' || first === '-V') {
  process.stdout.write(`${VERSION}\n`)
} else if (first === '__worker') {
  await import('./doctor/worker.ts')
} else {
  // Commands that end by themselves replace it.
  stopOnSignals()
  const [{ run }, { contextOf }] = await Promise.all([import('./run.ts'), import('./context.ts')])
  process.exitCode = await run(process.argv.slice(2), contextOf(import.meta.url))
}
