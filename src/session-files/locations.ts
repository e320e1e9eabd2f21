/** Folders of a platform where programs keep their data. Pure: nothing is looked up on disk. */
import type { FileLocation, HostEnvironment } from './types.ts'

/** A path of this platform from its pieces. */
export function join(host: HostEnvironment, ...pieces: readonly string[]): string {
  const separator = host.platform === 'win32' ? '\\' : '/'
  return pieces
    .flatMap((piece, i) => (i === 0 ? [piece.replace(/(?<![/\\])[/\\]+$/, '')] : piece.split('/')))
    .filter((piece, i) => i === 0 || piece !== '')
    .join(separator)
}

/** Below `~/folder` or the folder that a variable names; in WSL also below the home folder of Windows. */
export function belowHome(host: HostEnvironment, folder: string, pattern: string, variable?: string): FileLocation[] {
  const [base = '', ...rest] = folder.split(':')
  const set = variable === undefined ? undefined : host.env[variable]
  const own = { root: join(host, set || join(host, host.home, base), ...rest), pattern }
  return host.platform === 'wsl' ? [own, fromWindows(host, [base, ...rest].join('/'), pattern)] : [own]
}

/** Where XDG programs keep data: `$XDG_DATA_HOME`, default `~/.local/share`, on every platform. */
export function belowXdgData(host: HostEnvironment, folder: string, pattern: string): FileLocation[] {
  const set = host.env['XDG_DATA_HOME']
  return set ? [{ root: join(host, set, folder), pattern }] : belowHome(host, `.local/share/${folder}`, pattern)
}

/** `%APPDATA%`. */
export function roaming(host: HostEnvironment): string {
  return host.env['APPDATA'] || join(host, host.home, 'AppData/Roaming')
}

const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'] as const
const SERVERS = ['.vscode-server', '.vscode-server-insiders', '.cursor-server', '.windsurf-server'] as const

/**
 * Files below the `User` folder of VS Code and of editors made from it, also of their servers on a remote machine or in
 * WSL.
 */
export function inEditors(host: HostEnvironment, pattern: string): readonly FileLocation[] {
  const editors = EDITORS.map((name) => ({ root: editorUser(host, name), pattern }))
  const windows =
    host.platform === 'wsl' ? EDITORS.map((name) => fromWindows(host, `AppData/Roaming/${name}/User`, pattern)) : []
  const servers = host.platform === 'linux' || host.platform === 'wsl' ? SERVERS : []
  return [
    ...editors,
    ...servers.map((name) => ({ root: join(host, host.home, name, 'data/User'), pattern })),
    ...windows,
  ]
}

function editorUser(host: HostEnvironment, name: string): string {
  if (host.platform === 'win32') return join(host, roaming(host), name, 'User')
  if (host.platform === 'darwin') return join(host, host.home, 'Library/Application Support', name, 'User')
  return join(host, host.env['XDG_CONFIG_HOME'] || join(host, host.home, '.config'), name, 'User')
}

/** Files of a Windows user, seen from WSL: of the one that `USERPROFILE` names, else of all. */
export function fromWindows(host: HostEnvironment, folder: string, pattern: string): FileLocation {
  const profile = host.env['USERPROFILE']
  if (!profile) return { root: '/mnt/c/Users', pattern: `*/${folder}/${pattern}` }
  const drive = /^([A-Za-z]):[\\/](.*)$/.exec(profile)
  const home = drive ? `/mnt/${drive[1]!.toLowerCase()}/${drive[2]!.replaceAll('\\', '/')}` : profile
  return { root: join(host, home, folder), pattern }
}
