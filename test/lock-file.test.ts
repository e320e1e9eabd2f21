/**
 * `npm ci` fails if the lock file lacks an entry for any package that another one names, also for platforms other than
 * this one. Addresses of a registry are left out of the lock files, so that they work with any.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface Entry {
  readonly version?: string
  readonly resolved?: string
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

const FILES = ['package-lock.json', 'bench/peers/package-lock.json', 'bench/peers/portkey/package-lock.json']

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
    const entries = Object.entries(packages).filter(([at]) => at !== '')
    expect(entries.filter(([, { version }]) => version === undefined)).toEqual([])
    expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
  })
})
