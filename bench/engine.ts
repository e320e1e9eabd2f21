/** `lint` and `repair` of this build, or of another build of the package, so that two can be measured side by side. */
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { LintOptions, lint, repair } from '../src/index.ts'

export interface Engine {
  readonly lint: typeof lint
  readonly repair: typeof repair
}

export type Target = LintOptions

/** `dist`: the output folder of a build. Default: the build that this file belongs to. */
export async function loadEngine(dist?: string): Promise<Engine> {
  if (dist === undefined) return await import('../src/index.ts')
  return (await import(pathToFileURL(join(resolve(dist), 'src/index.js')).href)) as Engine
}
