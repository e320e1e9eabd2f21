/**
 * One way to call any build of the package. Builds differ in names: `sending` became the default and `inProgress` its opposite, `rejected`
 * became `rejectedBy`, `left` became `remaining`, and the repaired value has been called `history`. Which names a build has is found by trying.
 */
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

export interface Target {
  readonly provider: string
  readonly dialect?: string
  readonly model?: string | undefined
  readonly strict?: boolean
  /** The last round may still be answered. Default: the history is about to be sent. */
  readonly inProgress?: boolean
  /** Rules by which the provider has just rejected this history. */
  readonly rejectedBy?: readonly string[]
}

export interface Finding {
  readonly rule: string
  readonly severity: string
  readonly at: readonly (string | number)[]
  readonly message: string
  readonly [key: string]: unknown
}

export interface Repaired {
  readonly value: unknown
  readonly findings: readonly Finding[]
  readonly remaining: readonly Finding[]
}

/** What every build exports, as far as it is used here. */
interface Build {
  lint(history: unknown, options: object): readonly Finding[]
  repair(history: unknown, options: object): Readonly<Record<string, unknown>>
}

export interface Engine {
  /** The options of this build for a target; make them once, not in what is measured. */
  optionsFor(target: Target): object
  /** Each call gets a new options object, as from a caller that writes them inline: a cache by their identity does not help. */
  lint(history: unknown, options: object): readonly Finding[]
  repair(history: unknown, options: object): unknown
  /** The same with the names of its result settled, for comparisons. */
  repaired(history: unknown, options: object): Repaired
}

/** `dist`: the output folder of a build. Default: the build that this file belongs to. */
export async function loadEngine(dist?: string): Promise<Engine> {
  const file = dist === undefined ? new URL('../src/index.ts', import.meta.url) : builtIn(dist)
  return engineOf((await import(compiled(file).href)) as Build)
}

function builtIn(dist: string): URL {
  return pathToFileURL(join(resolve(dist), 'src/index.js'))
}

/** In `dist` this file has become `.js`, and so has its neighbor. */
function compiled(file: URL): URL {
  return import.meta.url.endsWith('.js') ? new URL(file.href.replace(/\.ts$/, '.js')) : file
}

const CHAT = { provider: 'openai', dialect: 'openai-chat' } as const
const VALID = [{ role: 'user', content: 'hello' }]
const PENDING = [
  ...VALID,
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
  },
]

export function engineOf(build: Build): Engine {
  const sendsByDefault = build.lint(PENDING, CHAT).length > 0
  const rejection = hasRejected(build) ? 'rejected' : 'rejectedBy'
  const valueKey = keyOfValue(build)
  return {
    optionsFor({ inProgress = false, rejectedBy, model, ...rest }) {
      return {
        ...rest,
        ...(model === undefined ? {} : { model }),
        ...(rejectedBy === undefined ? {} : { [rejection]: rejectedBy }),
        ...(sendsByDefault ? (inProgress ? { inProgress } : {}) : inProgress ? {} : { sending: true }),
      }
    },
    lint: (history, options) => build.lint(history, { ...options }),
    repair: (history, options) => build.repair(history, { ...options }),
    repaired(history, options) {
      const result = build.repair(history, { ...options })
      return {
        value: result[valueKey],
        findings: result['findings'] as Finding[],
        remaining: (result['remaining'] ?? result['left']) as Finding[],
      }
    },
  }
}

/** A build that knows the option takes a list and rejects a number; one that does not takes or rejects both. */
function hasRejected(build: Build): boolean {
  const takes = (rejected: unknown): boolean => {
    try {
      build.lint(VALID, { ...CHAT, rejected })
      return true
    } catch {
      return false
    }
  }
  return takes([]) && !takes(7)
}

/** A valid history comes back as the very same value: the key that holds it is the one. */
function keyOfValue(build: Build): string {
  const result = build.repair(VALID, CHAT)
  const key = Object.keys(result).find((name) => result[name] === VALID)
  if (key === undefined) throw new Error(`repair returned ${Object.keys(result).join(', ')}, none of them the history.`)
  return key
}
