/**
 * The process around a command. All output passes through `printed`: no control character of a file, a name or an
 * error reaches a terminal.
 */
import { currentHost } from '../session-files/node/host.ts'
import type { Context } from './command.ts'
import { leaveSignalsFor } from './signals.ts'
import { printed, wantsColors } from './terminal/index.ts'
import { VERSION } from './version.ts'

/** Where a command prints: standard output or standard error. */
export interface Output {
  readonly isTTY?: boolean
  write(text: string | Uint8Array): unknown
}

export function contextOf(entry: string, stdout: Output = process.stdout, stderr: Output = process.stderr): Context {
  const host = currentHost()
  const colors = wantsColors(host.env, stdout.isTTY === true)
  return {
    host,
    entry,
    version: VERSION,
    colors,
    interactive: stderr.isTTY === true,
    out: (text) => void stdout.write(printed(`${text}\n`, colors)),
    data: (bytes) => void stdout.write(stdout.isTTY ? printed(Buffer.from(bytes).toString(), false) : bytes),
    error: (text) => void stderr.write(printed(`${text}\n`, false)),
    stdinIsTerminal: process.stdin.isTTY === true,
    stdin: readInput,
    untilStopped,
  }
}

async function readInput(): Promise<Uint8Array> {
  if (process.stdin.isTTY) return new Uint8Array()
  const pieces: Uint8Array[] = []
  for await (const piece of process.stdin) pieces.push(piece)
  leaveSignalsFor([pieces.reduce((all, { length }) => all + length, 0)])
  return Buffer.concat(pieces)
}

function untilStopped(): Promise<string> {
  return new Promise((resolve) => {
    const stop = (signal: string) => {
      // The second one ends the process at once. A terminal that closes may send SIGHUP twice.
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
      resolve(signal)
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  })
}
