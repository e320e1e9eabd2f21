/** Runs a bench in a process of its own, and says every quarter of a minute how far it is. */
import { spawn } from 'node:child_process'
import type { Step } from './steps.ts'

const EVERY_MS = 15_000

/** What it printed; undefined if it failed or took too long. */
export function outputOf(
  { args, seconds, env }: Pick<Step, 'args' | 'seconds' | 'env'>,
  progress: (line: string) => void,
): Promise<string | undefined> {
  const start = performance.now()
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let errors = ''
  let last = ''
  const noted = (chunk: unknown) => {
    const lines = String(chunk).trim().split('\n')
    last = lines.at(-1)!.slice(0, 100) || last
  }
  child.stdout.on('data', (chunk) => {
    output += chunk
    noted(chunk)
  })
  child.stderr.on('data', (chunk) => {
    errors = `${errors}${chunk}`.slice(-500)
    noted(chunk)
  })
  const ticker = setInterval(() => progress(`${Math.round((performance.now() - start) / 1000)} s: ${last}`), EVERY_MS)
  const timer = setTimeout(() => child.kill('SIGTERM'), seconds * 1000)
  return new Promise((resolve) =>
    child.once('close', (code) => {
      clearInterval(ticker)
      clearTimeout(timer)
      if (code !== 0) progress(errors.trim())
      resolve(code === 0 ? output : undefined)
    }),
  )
}
