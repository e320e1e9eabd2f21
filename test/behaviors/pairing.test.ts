/**
 * Pairing of calls and results. Each case runs in every dialect, for that dialect's main provider.
 * `anywhere` is the outcome if results may be anywhere after their call (Responses, LangChain), `run` the one if
 * neighboring assistant turns are answered together, `inPart` the one if a result is in the part of its call, where
 * they differ. Ids in brackets number the cases of earlier agents' test suites, so that none gets lost; each title
 * describes its case.
 */

import { describe, expect, it } from 'vitest'
import { apply, type Dialect, dialects, invert } from '../../src/index.ts'
import { expressible, parseHistory } from '../../src/testing/index.ts'
import { mains } from '../dialect-table.ts'
import { skeletonOf } from '../history-to-shorthand.ts'
import { notationOf } from '../shorthand.ts'
import { lint, type NamedOptions, repair } from '../untyped-api.ts'

interface Case {
  readonly id: string
  readonly given: string
  readonly want: string
  readonly anywhere?: string
  readonly run?: string
  readonly inPart?: string
  /** As `anywhere`, with `strict: true`. */
  readonly strictly?: string
  /** Why this is the outcome, if another one could be expected. */
  readonly why?: string
  readonly options?: Partial<NamedOptions>
}

const cases: readonly Case[] = [
  { id: 'a complete pair [OT1]', given: 'U A{c1} R(c1) A', want: 'U A{c1} R(c1) A' },
  { id: 'an unanswered call before a prompt [OT2]', given: 'U A{o} U', want: 'U A{o} S(o) U' },
  {
    id: 'one of two results missing, a later round complete [OT3]',
    given: 'U A{o,k} R(k) U A{m} R(m) A',
    want: 'U A{o,k} S(o) R(k) U A{m} R(m) A',
  },
  {
    id: 'only the middle one of three answered, at the end [OT4]',
    given: 'U A{a,b,c} R(b)',
    want: 'U A{a,b,c} S(a) R(b) S(c)',
    anywhere: 'U A{a,b,c} S(a) S(c) R(b)',
  },
  { id: 'two unanswered calls [OT7]', given: 'U A{x} U A{y} U A', want: 'U A{x} S(x) U A{y} S(y) U A' },
  {
    id: 'a result without a call [OT8]',
    given: 'U R(ghost) A',
    want: 'U N A',
    why: 'a result without its call is real output: it stays as a labeled note',
  },
  {
    id: 'a stale result after a pair [OT9]',
    given: 'U A{v} R(v) R(stale) A',
    want: 'U A{v} R(v) N A',
    why: 'as above',
  },
  {
    id: 'results after two prompts [OT10]',
    given: "U A{1,2} U' U'' R(1) R(2) A",
    want: "U A{1,2} R(1) R(2) U' U'' A",
    anywhere: "U A{1,2} U' U'' R(1) R(2) A",
  },
  {
    id: 'results in another order than their calls [OT11]',
    given: 'U A{a,b} R(b) E(a) A',
    want: 'U A{a,b} R(b) R(a) A',
    why: 'providers accept results in any order: a valid history is not changed, and the cache stays valid',
  },
  {
    id: 'a result after a prompt [OT12]',
    given: "U A{a} U' R(a) A",
    want: "U A{a} R(a) U' A",
    anywhere: "U A{a} U' R(a) A",
  },
  {
    id: 'a second, different result [OT13]',
    given: "U A{d} R(d,first) U' R(d,second) A",
    want: "U A{d} R(d) U' N A",
    anywhere: "U A{d} R(d) U' R(d) A",
    strictly: "U A{d} R(d) U' N A",
    why: 'the second result differs, so it stays as a note; if two results are accepted, both stay',
  },
  {
    id: 'results of two rounds in reverse order [OT14]',
    given: "U A{a} U' A{b} R(b) R(a) A",
    want: "U A{a} R(a) U' A{b} R(b) A",
    anywhere: "U A{a} U' A{b} R(b) R(a) A",
  },
  {
    id: 'one of two results missing in the first of two rounds [OT15]',
    given: 'U A{o,k} R(k) U A{m} R(m) A',
    want: 'U A{o,k} S(o) R(k) U A{m} R(m) A',
  },
  {
    id: 'a result without a call at the end [LT2]',
    given: 'U R(orphan)',
    want: 'U N',
    why: 'no call is invented unless the policy asks for it',
  },
  {
    id: 'the same, with the policy that rebuilds the call [LT2]',
    given: 'U R(orphan)',
    want: 'U A{orphan} R(orphan)',
    options: { policy: { orphan: 'rebuild' } },
  },
  { id: 'a pair at the end [LT3]', given: 'U A{m} R(m)', want: 'U A{m} R(m)' },
  {
    id: 'a result copied after the answer [LT4]',
    given: 'U A{d} R(d) A R(d)',
    want: 'U A{d} R(d) A',
  },
  { id: 'the same, strict [LT4]', given: 'U A{d} R(d) A R(d)', want: 'U A{d} R(d) A', options: { strict: true } },
  {
    id: 'an assistant message between call and result [LT5]',
    given: "U A{o} A' R(o)",
    want: "U A{o} R(o) A'",
    run: "U A{o} A' R(o)",
    anywhere: "U A{o} A' R(o)",
    why: 'neighboring assistant turns were recorded as accepted where results are blocks: not changed',
  },
  { id: 'an unanswered call at the end [LT6]', given: 'U A{o}', want: 'U A{o} S(o)' },
  { id: 'the same, in progress [LT6]', given: 'U A{o}', want: 'U A{o}', options: { inProgress: true } },
  {
    id: 'an unanswered call before a prompt, in progress [LT7]',
    given: 'U A{o} U',
    want: 'U A{o} S(o) U',
    options: { inProgress: true },
  },
  { id: 'an unanswered call before another prompt [LT8]', given: "U A{o} U'", want: "U A{o} S(o) U'" },
  { id: 'a pair and an answer [LT9]', given: 'U A{m} R(m) A', want: 'U A{m} R(m) A' },
  { id: 'three parallel pairs [LT16]', given: 'U A{a,b,c} R(a) R(b) R(c) A', want: 'U A{a,b,c} R(a) R(b) R(c) A' },
  { id: 'a late result', given: "U A{x} U' A R(x) A", want: "U A{x} R(x) U' A A", anywhere: "U A{x} U' A R(x) A" },
  {
    id: 'a result before its call',
    given: 'U R(x) A{x} A',
    want: 'U A{x} R(x) A',
    run: 'U A{x} A R(x)',
    anywhere: 'U R(x) A{x} A',
    strictly: 'U A{x} A R(x)',
    why: 'if results are found by id anywhere in the list, no rejection of one before its call is known',
  },
  {
    id: 'a duplicate result',
    given: 'U A{x} R(x) A U R(x) A',
    want: 'U A{x} R(x) A U A',
  },
  {
    id: 'a duplicate result, strict',
    given: 'U A{x} R(x) A U R(x) A',
    want: 'U A{x} R(x) A U A',
    options: { strict: true },
  },
  {
    id: 'a real result after a synthetic one',
    given: 'U A{x} S(x) U R(x) A',
    want: 'U A{x} R(x) U A',
    anywhere: 'U A{x} U R(x) A',
    options: { strict: true },
    why: 'if two results are accepted, only strict mode removes one',
  },
  {
    id: 'the policy `omit`',
    given: "U A{x,y} R(y) U' A",
    want: "U A{y} R(y) U' A",
    options: { policy: { unanswered: 'omit' } },
  },
  { id: 'the policy `drop`', given: 'U R(ghost) A', want: 'U A', options: { policy: { orphan: 'drop' } } },
  {
    id: 'a half-answered turn [G12]',
    given: 'U A{x,y} R(x) A',
    want: 'U A{x,y} R(x) S(y) A',
    anywhere: 'U A{x,y} S(y) R(x) A',
  },
  { id: 'an unanswered call after a complete round', given: 'U A{x} R(x) A{y}', want: 'U A{x} R(x) A{y} S(y)' },
  {
    id: 'adjacency: one of three missing',
    given: 'U A{a,b,c} R(a) R(c) U',
    want: 'U A{a,b,c} R(a) S(b) R(c) U',
    anywhere: 'U A{a,b,c} S(b) R(a) R(c) U',
  },
  {
    id: 'adjacency: interrupted, then two prompts',
    given: "U A{a,b} U' U'' A",
    want: "U A{a,b} S(a) S(b) U' U'' A",
    inPart: "U A{a} S(a) A{b} S(b) U' U'' A",
  },
  {
    id: 'adjacency: interruption, then a new round',
    given: "U A{a} U' A{b} R(b) A",
    want: "U A{a} S(a) U' A{b} R(b) A",
  },
  { id: 'adjacency: a leading orphan', given: 'R(x) A U', want: 'N A U' },
]

describe.each(dialects.map((dialect) => [dialect.id, dialect] as const))('%s', (id, dialect: Dialect) => {
  // What providers reject in an in-process dialect is only assumed, so its cases are those of strict mode.
  const strict = id === 'ai-sdk' || id === 'langchain'
  const options = { provider: mains[id]!, dialect: id, strict }
  it.each(cases.filter((one) => expressible(notationOf(one.given), id)).map((one) => [one.id, one] as const))(
    '%s',
    (_id, one) => {
      const given = parseHistory(notationOf(one.given), id)
      const all = { ...options, ...one.options }
      const { value: history, patch, findings } = repair(given, all)
      const want = wantedIn(one, dialect, strict)
      expect(skeletonOf(history, dialect)).toBe(want)
      expect(lint(history, all).filter(({ severity }) => severity === 'error')).toEqual([])
      expect(apply(history, invert(patch))).toEqual(given)
      if (findings.length === 0) expect(history).toBe(given)
    },
  )

  it('nothing stays nothing [LT19, GT1]', () => {
    expect(lint([], { ...options, inProgress: true }).filter(({ rule }) => rule !== 'messages-empty')).toEqual([])
  })

  it('reading three times leaves the history alone and gives equal outcomes [LT17]', () => {
    const given = parseHistory(notationOf('U A{o} U'), id)
    const before = JSON.stringify(given)
    const outcomes = [1, 2, 3].map(() => JSON.stringify(repair(given, options).value))
    expect(new Set(outcomes).size).toBe(1)
    expect(JSON.stringify(given)).toBe(before)
  })
})

function wantedIn(
  { want, anywhere, run, strictly, inPart }: Case,
  { resultPlacement: slot, answerInPlace }: Dialect,
  strict: boolean,
): string {
  if (answerInPlace && inPart !== undefined) return inPart
  if (slot === 'anywhere') return (strict ? strictly : undefined) ?? anywhere ?? want
  return slot === 'after-assistant-run' ? (run ?? want) : want
}
