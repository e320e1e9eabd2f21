/** Pages of the documentation as paths that can be opened: the package ships them. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Relative to the compiled code in the package, and to the source tree. */
const PLACES = ['../../../', '../../']

/** `page`: `docs/rules/RULE.md`, without an anchor. Stays as it is if the documentation is not installed. */
export function docsPage(page: string): string {
  const paths = PLACES.map((place) => fileURLToPath(new URL(`${place}${page}`, import.meta.url)))
  return paths.find((path) => existsSync(path)) ?? `${page} in the package`
}
