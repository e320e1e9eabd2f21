/**
 * What a bundle pays, minified and gzipped: the whole library, the core with one provider, and that provider with the rules its laws name.
 */
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { anthropic } from '../src/providers/anthropic.ts'
import { rules } from '../src/rules/index.ts'

const core = `export * from './src/core/index.ts'; export { anthropic } from './src/providers/anthropic.ts'`
const named = rules.filter(({ id }) => anthropic.serves.some(({ constraints: laws }) => laws[id]))

const bundles = {
  'import "suture" (bar 30 kB)': `export * from './src/index.ts'`,
  'suture/core + anthropic (bar 15 kB)': core,
  [`suture/core + anthropic + the ${named.length} rules of its laws`]: [core, ...named.map(exportOf)].join('\n'),
  'suture/core + anthropic + all rules': `${core}; export { rules } from './src/rules/index.ts'`,
  'suture/rules with explanations': `export * from './src/rules/index.ts'`,
}

for (const [name, contents] of Object.entries(bundles)) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(import.meta.dirname, '../..') },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  })
  const code = outputFiles[0]!.contents
  console.log(
    `${name}: ${(gzipSync(code, { level: 9 }).length / 1000).toFixed(1)} kB gzipped, ${(code.length / 1000).toFixed(1)} kB minified`,
  )
}

/** A rule's file exports it under its id in camel case. */
function exportOf({ id }: { readonly id: string }): string {
  const name = id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  return `export { ${name} } from './src/rules/${id}.ts'`
}
