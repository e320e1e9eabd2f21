/** Examples of the docs import the package by its entry points; tests run them on the sources. */
import { join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }

const ROOT = join(import.meta.dirname, '..')
const entryPoints = packageJson.exports as unknown as Readonly<Record<string, { readonly default: string } | undefined>>

/** The source file of an entry point such as `suture/fetch`. */
export function sourceOf(name: string): string {
  const found = entryPoints[name.replace('suture', '.')]
  if (!found) throw new Error(`${name} is not an entry point of the package`)
  return join(ROOT, found.default.replace('./dist/', '').replace(/\.js$/, '.ts'))
}

/** The same code with imports of the sources. */
export function withSources(code: string): string {
  return code.replace(/from '(suture[^']*)'/g, (_, name: string) => `from ${JSON.stringify(sourceOf(name))}`)
}
