/**
 * Runs a script from its TypeScript source, without a build: `node scripts/run.mjs scripts/docs.ts ARGUMENTS`.
 * Packages are not bundled. Paths inside the script are relative to the current folder.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const [script, ...rest] = process.argv.slice(2)
if (!script) throw new Error('Usage: node scripts/run.mjs SCRIPT.ts [ARGUMENTS]')
// Below node_modules, so that packages are found.
const folder = mkdtempSync(resolve('node_modules/.run-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const outfile = join(folder, 'script.mjs')
await build({
  entryPoints: [script],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
})
process.argv = [process.argv[0], outfile, ...rest]
await import(pathToFileURL(outfile).href)
