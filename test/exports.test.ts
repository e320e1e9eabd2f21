/**
 * The public surface changes only on purpose: the names of each entry point are written down here.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const entryPoints: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(manifest.exports as Record<string, { default: string } | string>)
    .filter(([entryPoint, target]) => typeof target !== 'string' && !entryPoint.includes('*'))
    .map(([entryPoint, target]) => [entryPoint, (target as { default: string }).default]),
)

it.each(Object.entries(entryPoints))('%s', async (entryPoint, file) => {
  const source = file.replace('./dist/', '../').replace(/\.js$/, '.ts')
  const names = Object.keys(await import(source)).sort()
  expect(names).toMatchSnapshot(entryPoint)
})

it('suture/providers has every provider by name', async () => {
  const exported = Object.values(await import('../src/providers/public.ts'))
  for (const provider of exported[exported.findIndex(Array.isArray)] as readonly object[])
    expect(exported).toContain(provider)
})

it('importing suture needs no package and no Node module', () => {
  expect(manifest.dependencies ?? {}).toEqual({})
})

it('the command line prints the version of the package', async () => {
  const { VERSION } = await import('../src/cli/version.ts')
  expect(VERSION).toBe(manifest.version)
})
