/**
 * The machine that this process runs on, as the formats' `locate` functions want it, and the folders that Suture itself
 * uses.
 */

import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { orUndefined } from '../../core/index.ts'
import type { HostEnvironment } from '../types.ts'

export function currentHost(env: NodeJS.ProcessEnv = process.env, cwd: string = process.cwd()): HostEnvironment {
  const home = env['HOME'] || env['USERPROFILE'] || homedir()
  return { platform: platformOf(env), home, env, cwd }
}

function platformOf(env: NodeJS.ProcessEnv): HostEnvironment['platform'] {
  if (process.platform === 'win32' || process.platform === 'darwin') return process.platform
  return env['WSL_DISTRO_NAME'] !== undefined || isWslKernel() ? 'wsl' : 'linux'
}

function isWslKernel(): boolean {
  return orUndefined(() => /microsoft/i.test(readFileSync('/proc/sys/kernel/osrelease', 'utf8'))) ?? false
}

/** Where backups, quarantine and inverse changes are kept. Never beside a session. */
export function stateFolder({ platform, home, env }: HostEnvironment): string {
  if (env['SUTURE_STATE_DIR']) return env['SUTURE_STATE_DIR']
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'suture')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'suture')
  return join(env['XDG_STATE_HOME'] || join(home, '.local', 'state'), 'suture')
}

/** Where reports of unchanged files are kept. May be deleted at any time. */
export function cacheFolder({ platform, home, env }: HostEnvironment): string {
  if (env['SUTURE_CACHE_DIR']) return env['SUTURE_CACHE_DIR']
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'suture', 'cache')
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'suture')
  return join(env['XDG_CACHE_HOME'] || join(home, '.cache'), 'suture')
}
