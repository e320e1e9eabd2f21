/**
 * Corruptions beyond those of `suture/testing`: a page of the middle, and merged, split or very large results.
 */
import type { Corruption } from '../../src/testing/corruptions/index.ts'
import type { Random } from '../../src/testing/corruptions/random.ts'
import type { Plain } from './plain.ts'

type Breaks = (history: Plain[], random: Random) => Plain[] | undefined
type Result = Extract<Plain, { role: 'tool' }>

const LARGE = 120_000

export const resultCorruptions: readonly Pick<Corruption, 'id' | 'apply'>[] = [
  made('page-cut', (history, random) => {
    if (history.length < 4) return undefined
    const start = random.below(history.length - 2)
    return history.slice(start, start + 2 + random.below(history.length - start - 1))
  }),
  made('results-merged', (history, random) => {
    const pairs = history.flatMap((message, i) =>
      message.role === 'tool' && history[i + 1]?.role === 'tool' ? [i] : [],
    )
    if (pairs.length === 0) return undefined
    const at = random.pick(pairs)
    const [first, second] = history.slice(at, at + 2) as [Result, Result]
    return history.toSpliced(at, 2, { ...first, content: `${first.content}\n${second.content}` })
  }),
  made('result-split', (history, random) =>
    changed(history, random, (result) => {
      const half = Math.ceil(result.content.length / 2)
      return half < 1 ? undefined : [halfOf(result, 0, half), halfOf(result, half)]
    }),
  ),
  made('result-very-large', (history, random) =>
    changed(history, random, (result) => [
      { ...result, content: `${result.content}\n${'0123456789'.repeat(LARGE / 10)}` },
    ]),
  ),
]

function made(id: string, breaks: Breaks): Pick<Corruption, 'id' | 'apply'> {
  return { id, apply: (history, _dialect, random) => breaks([...history] as Plain[], random) }
}

function changed(history: Plain[], random: Random, to: (result: Result) => Plain[] | undefined): Plain[] | undefined {
  const at = [...history.keys()].filter((i) => history[i]!.role === 'tool')
  if (at.length === 0) return undefined
  const place = random.pick(at)
  const results = to(history[place] as Result)
  return results && history.toSpliced(place, 1, ...results)
}

function halfOf(result: Result, from: number, to?: number): Plain {
  return { ...result, content: result.content.slice(from, to) }
}
