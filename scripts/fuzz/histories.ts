/**
 * Histories with odd JSON in them, through the functions of the library: no crash but a `SutureError`, no changed
 * input, an undo that restores, a second repair that changes nothing, a plan and a cut that keep every message.
 */
import fc from 'fast-check'
import { compact } from '../../src/compact.ts'
import { equal, isSutureError, type Patch } from '../../src/core/index.ts'
import {
  apply,
  detect,
  dialects,
  dropRound,
  invert,
  lint,
  providers,
  repair,
  rounds,
  split,
  turns,
} from '../../src/index.ts'
import { brokenHistory } from '../../src/testing/arbitraries.ts'
import { models } from '../../test/model-names.ts'
import { randomFrom } from '../../test/session-files/damage.ts'
import { changed, mutated, pick } from './mutate.ts'
import type { Input, Surface } from './surface.ts'

const arbitraries = new Map(dialects.map(({ id }) => [id, brokenHistory(id)]))

export const histories: Surface = {
  name: 'histories',
  make(random) {
    const dialect = pick(dialects, random).id
    const [sample] = fc.sample(arbitraries.get(dialect)!, { numRuns: 1, seed: random(2 ** 31) })
    const serving = providers.filter(({ serves }) => serves.some((one) => one.dialect.id === dialect))
    const provider = pick(serving, random).id
    const model = pick(models[provider] ?? [undefined], random)
    const isBody = random(4) === 0
    const text = JSON.stringify(isBody ? { model, messages: sample, contents: sample, input: sample } : sample)
    return {
      bytes: mutated(text, random),
      about: { dialect, provider, model, strict: random(3) === 0, seed: random(2 ** 31), isBody },
    }
  },
  check({ bytes, about }) {
    const history = parsed(bytes)
    if (typeof history !== 'object' || history === null) return undefined
    return checked(history, bytes, about) ?? checkedParts(history, about)
  },
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

/** A clear error is an answer, too. */
function orSutureError<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (isSutureError(error)) return undefined
    throw error
  }
}

function optionsOf({ dialect, provider, model, strict }: Input['about']) {
  return { dialect, provider, strict, ...(model === undefined ? {} : { model }) } as never
}

function checked(history: object, text: Buffer, about: Input['about']): string | undefined {
  const before = parsed(text)
  const options = optionsOf(about)
  orSutureError(() => lint(history, options))
  const repaired = orSutureError(() => repair(history, options))
  if (!equal(history, before)) return 'repair changed its input'
  if (!repaired) return undefined
  const { value, patch } = repaired
  if (!equal(apply(history, patch), value)) return 'the patch does not lead to the repaired history'
  if (!equal(apply(value, invert(patch)), history)) return 'undo does not restore the history'
  const stored = storedPatch(patch)
  if (stored && !equal(apply(history, stored), value)) return 'the patch does not survive JSON'
  const again = repair(value, options)
  if (again.value !== value) return `a second repair changes more: ${again.findings.map(({ rule }) => rule).join(', ')}`
  return brokenPatch(history, patch, about)
}

/** A patch that was damaged is an error or applies; it never crashes. */
function brokenPatch(history: object, patch: Patch, { seed }: Input['about']): string | undefined {
  const random = randomFrom(Number(seed))
  const stored = storedPatch(patch)
  if (!stored) return undefined
  const damaged = changed(stored, random) as Patch
  orSutureError(() => apply(history, damaged))
  orSutureError(() => invert(damaged))
  return undefined
}

function checkedParts(history: object, about: Input['about']): string | undefined {
  orSutureError(() => detect(history as never))
  const options = optionsOf(about)
  const dialect = { dialect: about['dialect'] } as never
  orSutureError(() => compact(history, { ...(options as object), force: true, budget: { limit: 50 } } as never))
  orSutureError(() => dropRound(history, { turn: 1, round: 1 } as never, options))
  if (!Array.isArray(history)) return undefined
  orSutureError(() => turns(history, dialect))
  orSutureError(() => rounds(history, dialect))
  const cut = orSutureError(() => split(history, { ...(dialect as object), minKeep: 3 }))
  if (cut && cut.head.length + cut.tail.length !== history.length && cut.preamble.length === 0)
    return 'split loses messages'
  return undefined
}

/** As it comes out of a file. Undefined: nested too deeply for that. */
function storedPatch(patch: Patch): Patch | undefined {
  try {
    return JSON.parse(JSON.stringify(patch)) as Patch
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
