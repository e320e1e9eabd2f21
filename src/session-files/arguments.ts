/** Checks what callers pass to the public functions for session files. */
import { type Check, checkOptions, checkValue, type OptionTable } from '../core/options.ts'
import type { FileInput, HostEnvironment, PlanOptions } from './types.ts'

const isBytes: Check = (value) => (value instanceof Uint8Array ? undefined : 'a Uint8Array')

export function checkBytes(bytes: unknown, what = 'The content of a session file'): void {
  checkValue(what, bytes, isBytes, 'Read the file without an encoding.')
}

export function checkInput(input: unknown): void {
  checkValue('A file to read', input, 'object', 'Pass { bytes, path }.')
  const { bytes, path } = input as Partial<FileInput>
  checkBytes(bytes, 'The bytes of a file to read')
  if (path !== undefined) checkValue('The path of a file to read', path, 'string')
}

const isSessionFile: Check = (value) => {
  const { format, input, records, salvage, conversations } = (value ?? {}) as Record<string, unknown>
  const { quarantined, notes } = (salvage ?? {}) as Record<string, unknown>
  const isRead =
    typeof format === 'string' &&
    isBytes((input as Partial<FileInput> | null | undefined)?.bytes, '') === undefined &&
    [records, conversations, quarantined, notes].every((list) => Array.isArray(list))
  return isRead ? undefined : 'a file that was read'
}

export function checkFile(file: unknown): void {
  checkValue('A session file', file, isSessionFile, 'Pass what openSessionFile returned.')
}

const isPlan: Check = (value) => {
  const { bytes, promise } = (value ?? {}) as Record<string, unknown>
  return isBytes(bytes, '') === undefined && typeof promise === 'object' && promise !== null ? undefined : 'a plan'
}

export function checkPlan(plan: unknown): void {
  checkValue('A plan', plan, isPlan, 'Pass what planRepair returned.')
}

const isVerdict: Check = (value) => {
  const { notUnderstood, checked } = (value ?? {}) as Record<string, unknown>
  return Array.isArray(notUnderstood) && typeof checked === 'object' && checked !== null ? undefined : 'a verdict'
}

export function checkVerdict(verdict: unknown): void {
  checkValue('A verdict', verdict, isVerdict, 'Pass what verdictOf returned.')
}

export function checkObjects(what: string, list: unknown): void {
  checkValue(what, list, 'list')
  for (const one of list as readonly unknown[]) checkValue(`Each of ${what.toLowerCase()}`, one, 'object')
}

export function checkHost(host: unknown): void {
  checkValue('The host', host, 'object', 'Pass { platform, home, env, cwd }.')
  const { platform, home, env, cwd } = host as Partial<HostEnvironment>
  checkValue('The platform of the host', platform, ['linux', 'darwin', 'win32', 'wsl'])
  checkValue('The home folder of the host', home, 'string')
  checkValue('The environment of the host', env, 'object')
  checkValue('The current folder of the host', cwd, 'string')
}

const planOptions: OptionTable<PlanOptions> = {
  provider: 'string',
  model: 'string',
  lossy: 'boolean',
  only: 'strings',
  force: 'boolean',
}

export function checkPlanOptions(of: string, options: unknown): void {
  checkOptions<PlanOptions>(of, options, planOptions)
}
