/**
 * The package as npm packs it, unpacked into a folder where its examples run. The other packages are links to those of
 * the project.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

/** Why there is nothing to pack, if there is not. */
export const unbuilt =
  ['dist/src/index.js', 'dist/cli/main.js'].some((file) => !existsSync(join(ROOT, file))) && 'run `npm run emit` first'

export interface Packed {
  readonly folder: string
  remove(): void
}

export function packed(): Packed {
  const folder = mkdtempSync(join(tmpdir(), 'suture-packed-'))
  const out = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], { cwd: ROOT })
  const [{ filename }] = JSON.parse(String(out)) as [{ readonly filename: string }]
  const own = join(folder, 'node_modules/suture')
  mkdirSync(own, { recursive: true })
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', own, '--strip-components=1'])
  linkPackages(join(folder, 'node_modules'))
  mkdirSync(join(folder, 'node_modules/.bin'))
  symlinkSync('../suture/dist/cli/main.js', join(folder, 'node_modules/.bin/suture'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  return { folder, remove: () => rmSync(folder, { recursive: true }) }
}

function linkPackages(to: string): void {
  const from = join(ROOT, 'node_modules')
  const names = readdirSync(from).filter((name) => !name.startsWith('.') && !name.startsWith('suture'))
  for (const name of names) {
    const isScope = name.startsWith('@')
    if (isScope) mkdirSync(join(to, name))
    const inner = isScope ? readdirSync(join(from, name)).map((one) => join(name, one)) : [name]
    for (const one of inner) symlinkSync(join(from, one), join(to, one))
  }
}
