/**
 * `suture.config.json`: the same names as the flags, in camelCase. Found in the current folder or above it; flags win.
 */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { unknownName } from '../core/options.ts'
import { readRegular } from '../session-files/node/regular-file.ts'
import { CommandError, type CommandSpec, type Values } from './command.ts'
import { sentence } from './error-text.ts'

export const CONFIG_NAME = 'suture.config.json'

/** Flags that a file may not set: they choose the action. */
const NOT_IN_FILE = new Set(['help', 'config', 'write', 'plan', 'out', 'force', 'last', 'list', 'entry'])
const SECTIONS = new Set(['doctor', 'lint', 'repair', 'show'])

export function configDefaults(named: string | undefined, spec: CommandSpec, cwd: string): Values | undefined {
  if (!spec.options['config']) return undefined
  const path = named === undefined ? nearest(cwd) : resolve(cwd, named)
  if (path === undefined) return undefined
  const file = readConfig(path)
  const all = new Set(Object.keys(spec.options).filter((name) => !NOT_IN_FILE.has(name)))
  const values: Record<string, Values[string]> = {}
  for (const [key, value] of [...Object.entries(file), ...Object.entries((file[spec.name] as object) ?? {})]) {
    if (SECTIONS.has(key) || key === '$schema') continue
    const flag = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    if (!all.has(flag)) {
      if (KNOWN.has(flag)) continue
      throw new CommandError(`${path}: ${unknownName('setting', key, [...KNOWN].map(camel)).message}`)
    }
    values[flag] = settingOf(value, `${key} in ${path}`)
  }
  return values
}

/** Settings of all commands: one file may contain those of several. */
const KNOWN = new Set(
  'format quiet max-warnings exit-zero with-text provider model only lossy ignore-file no-ignore ignore-unknown cache no-cache concurrency max-findings color no-color'.split(
    ' ',
  ),
)

export function camel(flag: string): string {
  return flag.replace(/-(.)/g, (_all, letter: string) => letter.toUpperCase())
}

/** A value of a configuration file as the value of a flag. */
export function settingOf(value: unknown, where: string): string | boolean | string[] {
  if (typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value
  throw new CommandError(`${where} must be a text, a number, true, false or a list of texts.`)
}

function nearest(cwd: string): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, CONFIG_NAME)
    if (existsSync(path)) return path
    if (dirname(folder) === folder || existsSync(join(folder, '.git'))) return undefined
  }
}

export function readConfig(path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readRegular(path).toString())
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch (error) {
    throw new CommandError(`The configuration ${path} cannot be read: ${sentence(error)}`)
  }
  throw new CommandError(`The configuration ${path} is not a JSON object.`)
}
