import { type Bound, defineRule, type Explanation, type Part, type Path, type Step, type Walk } from '../core/index.ts'
import { renamePair, renames } from './rename.ts'
import { faultIn, isSound, looksSound, mended } from './surrogates.ts'

export const explanation: Explanation = {
  says: 'Every string, and every key, is well-formed Unicode.',
  why: 'Half of a character, left by a cut through an emoji, makes the body invalid JSON for the provider.',
  refusals: [/no low surrogate in string/i, /invalid (?:high|low) surrogate in string/i, /surrogates not allowed/i],
}

interface Hit {
  readonly index: number
  readonly at: Path
  readonly parts: readonly Part[]
}

/**
 * Looks at the rest of the body too, where it is given.
 * Law: `glance` — `ends`: of texts over a thousand characters only the ends are looked at; `parts`: only what parts say is looked at, that way.
 * In the strict mode, and when the provider has refused one, everything is read.
 */
export const loneSurrogate = defineRule({
  id: 'lone-surrogate',
  repair: 'lossy',
  quiet: ({ law: { glance }, refused }, strict) => {
    if (refused || strict || glance === undefined) return undefined
    const ends = glance !== 'parts'
    return {
      text: looksSound,
      call: (id, name, body) => looksSound(body) && (!ends || (looksSound(id) && looksSound(name))),
      result: (id, body) => looksSound(body) && (!ends || looksSound(id)),
      reasoning: (text, sign) => looksSound(text) && looksSound(sign),
      name: (name) => !ends || looksSound(name),
    }
  },
  messages: {
    surrogate: 'A string here holds half of a surrogate pair.',
    body: 'A string under {key} holds half of a surrogate pair.',
  },
  checks: {
    message({ index, message, parts }, bound, walk) {
      const { glance } = bound.law
      if (
        bound.refused || walk.strict || glance === undefined
          ? isSound(message)
          : glance === 'parts'
            ? partsSound(parts)
            : looksSound(message)
      )
        return
      const hits = walk.recall<Hit[]>(bound, () => [])
      // Parts are mended one by one, so that a result that moves is mended where it goes.
      hits.push({ index, at: [index, ...faultIn(message)], parts: parts.filter((part) => !isSound(part.value)) })
    },
    end(walk, bound) {
      for (const hit of (walk.memory.get(bound.rule.id) as Hit[] | undefined) ?? []) report(walk, bound, hit)
      if (walk.body) checkBody(walk, bound)
    },
  },
})

function partsSound(parts: readonly Part[]): boolean {
  for (let i = 0; i < parts.length; i++) if (!looksSound(parts[i]!.body)) return false
  return true
}

function report(walk: Walk, bound: Bound, { index, at, parts }: Hit): void {
  const steps: Step[] = parts.map((part) => ({ do: 'replace', part, with: mended }))
  steps.push({ do: 'rewrite', message: index, with: mended })
  walk.report(bound, 'surrogate', at, {}, [...steps, ...ids(walk, index)])
}

/** Two ids that differ only in the broken half would become one: they get new names, call and result together. */
function ids(walk: Walk, message: number): readonly Step[] {
  const steps: Step[] = []
  for (const call of renames(walk).keys()) {
    const { id } = walk.pairing.callAt(call)
    if (walk.pairing.messageOf(call) === message && id !== undefined && !id.isWellFormed()) {
      steps.push(...renamePair(walk, call))
    }
  }
  return steps
}

function checkBody(walk: Walk, bound: Bound): void {
  for (const key of Object.keys(walk.body!)) {
    const value = walk.body![key]
    if (key === walk.dialect.key || isSound(value)) continue
    walk.report(bound, 'body', [], { key }, [{ do: 'body', key, value: mended(value) }])
  }
}
