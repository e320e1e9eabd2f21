/**
 * The command line as one file, from the sources as they are, and gateways started with it in processes of their own.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

export interface Started {
  readonly child: ChildProcess
  readonly url: string
  /** Standard output and standard error so far. */
  output(): string
  /** Resolves with its exit code. */
  readonly ended: Promise<number | null>
}

export interface Command {
  /** `suture serve` with these flags; resolves once it listens. */
  serve(flags: readonly string[], env?: Record<string, string>): Promise<Started>
  /** Runs to its end. */
  run(args: readonly string[], env?: Record<string, string>): Promise<{ code: number | null; output: string }>
  close(): void
}

let count = 0

export async function command(): Promise<Command> {
  const file = join(import.meta.dirname, `../../dist/test-gateway/cli-${process.pid}-${++count}.mjs`)
  await build({
    entryPoints: [join(import.meta.dirname, '../../src/cli/main.ts')],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  })
  const children: ChildProcess[] = []
  const begin = (args: readonly string[], env: Record<string, string>) => {
    const { PATH = '', HOME = '' } = process.env
    const child = spawn(process.execPath, [file, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH, HOME, ...env },
    })
    children.push(child)
    let text = ''
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (piece) => {
        text += piece
        child.emit('output')
      })
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    return { child, output: () => text, ended }
  }
  return {
    serve: (flags, env = {}) => {
      const started = begin(['serve', '--port', '0', ...flags], env)
      return new Promise((resolve, reject) => {
        started.child.on('output', () => {
          const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(started.output()) ?? []
          if (url) resolve({ ...started, url })
        })
        started.ended.then(() => reject(new Error(`The gateway ended: ${started.output()}`)))
      })
    },
    run: async (args, env = {}) => {
      const { ended, output } = begin(args, env)
      return { code: await ended, output: output() }
    },
    close: () => {
      for (const child of children) child.kill('SIGKILL')
      rmSync(file, { force: true })
    },
  }
}
