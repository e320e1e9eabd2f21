#!/usr/bin/env node
/**
 * The command line: finds the command, and turns wrong use into one line and an exit code.
 */
import { readFileSync } from 'node:fs'
import { isSutureError } from '../core/index.ts'
import { suggest } from '../core/options.ts'
import { HELP } from './help.ts'
import type { Surroundings } from './serve.ts'

const around: Surroundings = {
  env: process.env,
  print: (text) => void process.stdout.write(`${text}\n`),
  write: (text) => void process.stdout.write(text),
  complain: (text) => void process.stderr.write(`${text}\n`),
  stopped: new Promise((resolve) => {
    const stop = (signal: string) => {
      // The second one ends the process at once. A terminal that closes may send SIGHUP twice.
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
      resolve(signal)
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  }),
}
// A terminal that was closed takes no more lines: requests under way are served all the same.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  around.complain(isSutureError(error) ? error.message : String((error as Error).stack))
  process.exitCode = 1
}

/** Each command is loaded when it is asked for: help and version need nothing that may not be installed. */
async function run([command, ...args]: readonly string[]): Promise<number> {
  switch (command) {
    case 'serve':
      return (await import('./serve.ts')).serve(args, around)
    case 'key':
      return (await import('./key.ts')).key(args, around.print)
    case 'demo':
      return (await import('./agent-demo.ts')).demo(args, around.write)
    case '--version':
    case '-v':
      around.print(version())
      return 0
    case undefined:
    case 'help':
    case '--help':
    case '-h':
      around.print(HELP)
      return 0
    default:
      around.complain(noCommand(command))
      return 2
  }
}

function noCommand(command: string): string {
  const near = suggest(command, ['serve', 'key', 'demo', 'help', '--help', '--version'])
  const step = near === undefined ? 'There are: serve, key, demo.' : `Did you mean "${near}"?`
  return `There is no command "${command}". ${step} \`suture --help\` says more.`
}

function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  return manifest.version
}
