/**
 * Folders of the host, with the separator of its platform.
 */
import type { HostEnvironment } from '../types.ts'

export function under(host: HostEnvironment, root: string, ...steps: readonly string[]): string {
  const separator = host.platform === 'win32' ? '\\' : '/'
  const base = root.endsWith(separator) ? root.slice(0, -1) : root
  return [base, ...steps].join(separator)
}

export function inHome(host: HostEnvironment, ...steps: readonly string[]): string {
  return under(host, host.home, ...steps)
}

/** The folder that a variable names, if it is set. */
export function fromEnv(host: HostEnvironment, name: string): string | undefined {
  const value = host.env[name]
  return value === undefined || value === '' ? undefined : value
}

/** On WSL, agents that run in Windows keep their files in its home folder, if its path is known. */
export function windowsHome(host: HostEnvironment): string | undefined {
  const profile = host.platform === 'wsl' ? fromEnv(host, 'USERPROFILE') : undefined
  const drive = profile && /^([A-Za-z]):[\\/](.*)$/.exec(profile)
  return drive ? `/mnt/${drive[1]!.toLowerCase()}/${drive[2]!.replaceAll('\\', '/')}` : profile
}

/** The folder in the home folder, and on WSL that of Windows, too. */
export function homes(host: HostEnvironment, ...steps: readonly string[]): readonly string[] {
  const windows = windowsHome(host)
  return [inHome(host, ...steps), ...(windows ? [under(host, windows, ...steps)] : [])]
}
