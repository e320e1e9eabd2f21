/**
 * Bundles the command line into `dist/cli`: one file for the entry, one for each command and for what several of them
 * share. Node then loads a few files instead of some hundred, which halves the time until a command starts. Packages
 * stay outside, names are kept: a stack trace stays readable.
 */
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../../', import.meta.url))
const outdir = `${root}dist/cli`

rmSync(outdir, { recursive: true, force: true })
await build({
  entryPoints: [`${root}src/cli/main.ts`],
  absWorkingDir: root,
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
})
