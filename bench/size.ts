/**
 * What a bundle costs, minified and gzipped, against its bar. Usage: npm run size
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { anthropic } from '../src/providers/anthropic.ts'
import { rules } from '../src/rules/index.ts'

const root = join(import.meta.dirname, '../..')
const core = `export * from './src/core/index.ts'; export { anthropic } from './src/providers/anthropic.ts'`
const named = namedRules()

/** Bars in kB. */
const bundles: Readonly<Record<string, { readonly contents: string; readonly bar?: number }>> = {
  'import { repair } from "suture"': { contents: `export { repair } from './src/index.ts'`, bar: 56 },
  'suture/core + anthropic': { contents: core },
  [`suture/core + anthropic + the ${named.length} rules it has`]: {
    contents: [core, ...named.map(exportOf)].join('\n'),
  },
  'suture/core + anthropic + all rules': { contents: `${core}; export { rules } from './src/rules/index.ts'` },
  'suture/rules with explanations': { contents: `export * from './src/rules/index.ts'` },
}

console.log('Bundles, minified and gzipped')
for (const [name, { contents, bar }] of Object.entries(bundles)) {
  const { minified, gzipped } = await bundled(contents)
  console.log(
    `  ${gzipped.toFixed(1).padStart(7)} kB  ${markOf(gzipped, bar).padEnd(34)}  ${name} (${minified.toFixed(1)} kB minified)`,
  )
}

function markOf(value: number, bar?: number): string {
  return bar === undefined ? '' : `${value > bar ? 'missed' : 'met'} (bar ${bar})`
}

/** Kilobytes of a bundle. */
async function bundled(contents: string): Promise<{ readonly minified: number; readonly gzipped: number }> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  })
  const code = outputFiles[0]!.contents
  return { minified: code.length / 1000, gzipped: gzipSync(code, { level: 9 }).length / 1000 }
}

/** Rules that one provider has something under, whatever a service calls that table. */
function namedRules(): readonly { readonly id: string }[] {
  const ids = anthropic.serves.flatMap((service) =>
    Object.values(service).flatMap((table) => (typeof table === 'object' && table !== null ? Object.keys(table) : [])),
  )
  return rules.filter(({ id }) => ids.includes(id))
}

/** A rule's file exports it under its id in camel case. */
function exportOf({ id }: { readonly id: string }): string {
  const name = id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const folder = existsSync(join(root, `src/rules/${id}.ts`)) ? '' : 'after-rejection/'
  return `export { ${name} } from './src/rules/${folder}${id}.ts'`
}
