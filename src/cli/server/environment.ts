/** Finds environment variables that look like settings but are not. */
import { suggest } from '../../core/options.ts'
import { CommandError } from '../command.ts'
import { environmentName, type Name, settings } from './settings.ts'

const PREFIX = 'SUTURE_'
const KEY = 'SUTURE_KEY_'
/** Set by Kubernetes in every pod beside a service named suture. */
const KUBERNETES = /^SUTURE_(SERVICE_(HOST|PORT)|PORT_\d+_)/

/** Variables of the project's own tests, which start commands in their environment. */
const TESTS: ReadonlySet<string> = new Set(['SUTURE_LONG', 'SUTURE_RUNS', 'SUTURE_SEED', 'SUTURE_CORPUS'])

/** Throws for a mistyped setting; returns a warning for each other variable that is not read. */
export function oddVariables(
  env: Readonly<Record<string, string | undefined>>,
  upstreams: readonly string[],
): string[] {
  const names = [...(Object.keys(settings) as Name[]).map(environmentName), 'SUTURE_CONFIG']
  const keys = upstreams.map((name) => `${KEY}${name.toUpperCase().replaceAll('-', '_')}`)
  const known = new Set([...names, ...keys, ...TESTS])
  const odd = Object.keys(env).filter((name) => name.startsWith(PREFIX) && !known.has(name) && !KUBERNETES.test(name))
  return odd.map((name) => {
    const near = name.startsWith(KEY) ? nearest(name, keys, KEY) : nearest(name, names, PREFIX)
    if (near === undefined) return `The variable ${name} is no setting and is ignored. \`suture serve --help\` has all.`
    throw new CommandError(`Unknown variable ${name} in the environment. Did you mean ${near}?`)
  })
}

/** Compares without the common prefix: with it, any two short names would be near. */
function nearest(name: string, known: readonly string[], prefix: string): string | undefined {
  const found = suggest(
    name.slice(prefix.length),
    known.map((one) => one.slice(prefix.length)),
  )
  return found === undefined ? undefined : prefix + found
}
