/** Runs one command of an agent in its own PID namespace, with a time limit. Its children end with it. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Finished {
  readonly stdout: string
  readonly stderr: string
  readonly exit: number | 'killed' | 'timeout'
  readonly seconds: number
}

export interface RunOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** Kill the agent when this resolves. */
  readonly killAfter?: Promise<unknown>
  /** Without a PID namespace, for tests. */
  readonly bare?: boolean
}

export async function runBounded(args: readonly string[], options: RunOptions): Promise<Finished> {
  const began = Date.now()
  const all = options.bare ? [...args] : ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc', ...args]
  const [file = '', ...rest] = all
  const child = spawn(file, rest, {
    cwd: options.cwd,
    env: { ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
  let why: 'killed' | 'timeout' | undefined
  const kill = (reason: 'killed' | 'timeout') => {
    why ??= reason
    killGroup(child.pid)
  }
  const timer = setTimeout(() => kill('timeout'), options.timeoutMs)
  options.killAfter?.then(() => kill('killed')).catch(() => {})
  const code = await new Promise<number>((resolve) => {
    child.on('error', (error) => {
      output.stderr += String(error)
      resolve(127)
    })
    child.on('close', (exit) => resolve(exit ?? 137))
  })
  clearTimeout(timer)
  return { ...output, exit: why ?? code, seconds: Math.round((Date.now() - began) / 100) / 10 }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

/** Resolves once the file exists, or never: the time limit of the run ends the wait. */
export async function appears(file: string, signal: AbortSignal): Promise<void> {
  while (!existsSync(file)) {
    await sleep(50, undefined, { signal })
  }
}
