/**
 * What a bundle pays: minified and gzipped, for the whole library and for the core with one provider.
 */
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const bundles = {
  'import "suture" (bar 30 kB)': `export * from './src/index.ts'`,
  'suture/core + anthropic + all rules (bar 15 kB)': `export * from './src/core/index.ts'; export { anthropic } from './src/providers/anthropic.ts'; export { rules } from './src/rules/index.ts'`,
  'suture/core + anthropic (bar 15 kB)': `export * from './src/core/index.ts'; export { anthropic } from './src/providers/anthropic.ts'`,
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
