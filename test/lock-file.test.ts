/**
 * `npm ci` fails if the lock file lacks an entry for any package that another one names, also for platforms other than
 * this one. Addresses of a registry are left out of the lock files, so that they work with any.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface Entry {
  readonly version?: string
  readonly resolved?: string
  /** A folder of this repository. */
  readonly link?: boolean
  readonly os?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

function isLocked(packages: Readonly<Record<string, Entry>>, from: string, name: string): boolean {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    if (packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`]) return true
    if (at === '') return false
  }
}

const FILES = [
  'package-lock.json',
  'bench/peers/package-lock.json',
  'bench/peers/portkey/package-lock.json',
  'docs/site/package-lock.json',
]

describe.each(FILES)('%s', (file) => {
  const text = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
  const { packages } = JSON.parse(text) as { packages: Record<string, Entry> }

  it('has an entry for every package that is named in it, of every platform', () => {
    const missing = Object.entries(packages).flatMap(([at, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter((name) => !isLocked(packages, at, name))
        .map((name) => `${name}, named by ${at}`),
    )
    expect(missing).toEqual([])
  })

  it('has a version for each, and no address of a registry', () => {
    const entries = Object.entries(packages).filter(([at]) => at.includes('node_modules/'))
    expect(entries.filter(([, { version, link }]) => version === undefined && !link)).toEqual([])
    expect(entries.filter(([, { resolved, link }]) => resolved !== undefined && !link)).toEqual([])
  })
})

it.skipIf(!existsSync(new URL('../.git', import.meta.url)))('has a use for every package of test/package.json', () => {
  const { devDependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
  const list = [
    'package.json',
    '*.ts',
    '*.tsx',
    '*.mjs',
    ':!package-lock.json',
    ':!test/package.json',
    ':!test/lock-file.test.ts',
    ':!knip.js',
  ]
  const used = (name: string) =>
    spawnSync('git', ['grep', '-qF', name.replace('@types/', '').replace('@biomejs/', ''), '--', ...list]).status === 0
  expect(Object.keys(devDependencies).filter((name) => !used(name))).toEqual([])
})
