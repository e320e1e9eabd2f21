/**
 * Folders of a platform where programs keep their data. Pure: nothing is looked up on disk.
 */
import type { FileLocation, HostEnvironment } from './types.ts'

/** A path of this platform from its pieces. */
export function join(host: HostEnvironment, ...pieces: readonly string[]): string {
  const separator = host.platform === 'win32' ? '\\' : '/'
  return pieces
    .flatMap((piece, i) => (i === 0 ? [piece.replace(/(?<![/\\])[/\\]+$/, '')] : piece.split('/')))
    .filter((piece, i) => i === 0 || piece !== '')
    .join(separator)
}

/** `~/…`, or below the folder that a variable names. */
export function inHome(host: HostEnvironment, path: string, variable?: string): string {
  const set = variable === undefined ? undefined : host.env[variable]
  return set ? set : join(host, host.home, path)
}

/** Where XDG programs keep data: `$XDG_DATA_HOME`, default `~/.local/share`, on every platform. */
export function xdgData(host: HostEnvironment): string {
  return host.env['XDG_DATA_HOME'] || join(host, host.home, '.local/share')
}

/** `%APPDATA%` and `%LOCALAPPDATA%`. */
export function appData(host: HostEnvironment, kind: 'Roaming' | 'Local'): string {
  const set = host.env[kind === 'Roaming' ? 'APPDATA' : 'LOCALAPPDATA']
  return set || join(host, host.home, `AppData/${kind}`)
}

const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'] as const
const SERVERS = ['.vscode-server', '.vscode-server-insiders', '.cursor-server', '.windsurf-server'] as const

/** Files below the `User` folder of VS Code and of editors made from it, also of their servers on a remote machine or in WSL. */
export function inEditors(host: HostEnvironment, pattern: string): readonly FileLocation[] {
  const editors = EDITORS.map((name) => editorUser(host, name)).map((root) => ({ root, pattern }))
  const windows =
    host.platform === 'wsl' ? EDITORS.map((name) => fromWindows(`AppData/Roaming/${name}/User/${pattern}`)) : []
  const servers = host.platform === 'linux' || host.platform === 'wsl' ? SERVERS : []
  return [
    ...editors,
    ...servers.map((name) => ({ root: join(host, host.home, name, 'data/User'), pattern })),
    ...windows,
  ]
}

function editorUser(host: HostEnvironment, name: string): string {
  if (host.platform === 'win32') return join(host, appData(host, 'Roaming'), name, 'User')
  if (host.platform === 'darwin') return join(host, host.home, 'Library/Application Support', name, 'User')
  return join(host, host.env['XDG_CONFIG_HOME'] || join(host, host.home, '.config'), name, 'User')
}

/** Files of a Windows user, seen from WSL. */
export function fromWindows(pattern: string): FileLocation {
  return { root: '/mnt/c/Users', pattern: `*/${pattern}` }
}

/** The same files below the home folder, and in WSL also below that of Windows. */
export function belowHome(host: HostEnvironment, folder: string, pattern: string, variable?: string): FileLocation[] {
  const own = { root: inHome(host, folder, variable), pattern }
  return host.platform === 'wsl' ? [own, fromWindows(`${folder}/${pattern}`)] : [own]
}
