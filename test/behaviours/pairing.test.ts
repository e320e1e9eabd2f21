/**
 * Cases of the systems before us on pairing, by their ids. Each runs in every dialect, for that dialect's main provider.
 * `anywhere` is the outcome where results may stand anywhere after their call (Responses, LangChain), `run` the one where
 * neighbouring assistant turns are answered together, `inPart` the one where a result is in the part of its call, if they differ.
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
  /** As `anywhere`, in the stricter mode. */
  readonly strictly?: string
  /** Where our outcome differs from theirs: why. */
  readonly why?: string
  readonly options?: Partial<NamedOptions>
}

const cases: readonly Case[] = [
  { id: 'OT1', given: 'U A{c1} R(c1) A', want: 'U A{c1} R(c1) A' },
  { id: 'OT2', given: 'U A{o} U', want: 'U A{o} S(o) U' },
  { id: 'OT3', given: 'U A{o,k} R(k) U A{m} R(m) A', want: 'U A{o,k} S(o) R(k) U A{m} R(m) A' },
  { id: 'OT4', given: 'U A{a,b,c} R(b)', want: 'U A{a,b,c} S(a) R(b) S(c)', anywhere: 'U A{a,b,c} S(a) S(c) R(b)' },
  { id: 'OT7', given: 'U A{x} U A{y} U A', want: 'U A{x} S(x) U A{y} S(y) U A' },
  {
    id: 'OT8',
    given: 'U R(ghost) A',
    want: 'U N A',
    why: 'a result without its call is real output: it stays as a marked note',
  },
  { id: 'OT9', given: 'U A{v} R(v) R(stale) A', want: 'U A{v} R(v) N A', why: 'as OT8' },
  {
    id: 'OT10',
    given: "U A{1,2} U' U'' R(1) R(2) A",
    want: "U A{1,2} R(1) R(2) U' U'' A",
    anywhere: "U A{1,2} U' U'' R(1) R(2) A",
  },
  {
    id: 'OT11',
    given: 'U A{a,b} R(b) E(a) A',
    want: 'U A{a,b} R(b) R(a) A',
    why: 'services accept results in any order: what is valid is not touched, and what was cached stays cached',
  },
  { id: 'OT12', given: "U A{a} U' R(a) A", want: "U A{a} R(a) U' A", anywhere: "U A{a} U' R(a) A" },
  {
    id: 'OT13',
    given: "U A{d} R(d,first) U' R(d,second) A",
    want: "U A{d} R(d) U' N A",
    anywhere: "U A{d} R(d) U' R(d) A",
    strictly: "U A{d} R(d) U' N A",
    why: 'the second result says something else, so it stays as a note; where two results are accepted both stay',
  },
  {
    id: 'OT14',
    given: "U A{a} U' A{b} R(b) R(a) A",
    want: "U A{a} R(a) U' A{b} R(b) A",
    anywhere: "U A{a} U' A{b} R(b) R(a) A",
  },
  { id: 'OT15', given: 'U A{o,k} R(k) U A{m} R(m) A', want: 'U A{o,k} S(o) R(k) U A{m} R(m) A' },
  { id: 'LT2', given: 'U R(orphan)', want: 'U N', why: 'no call is invented unless the policy asks for it' },
  {
    id: 'LT2 with the policy that makes the call anew',
    given: 'U R(orphan)',
    want: 'U A{orphan} R(orphan)',
    options: { policy: { orphan: 'rebuild' } },
  },
  { id: 'LT3', given: 'U A{m} R(m)', want: 'U A{m} R(m)' },
  {
    id: 'LT4',
    given: 'U A{d} R(d) A R(d)',
    want: 'U A{d} R(d) A',
  },
  { id: 'LT4, strict', given: 'U A{d} R(d) A R(d)', want: 'U A{d} R(d) A', options: { strict: true } },
  {
    id: 'LT5',
    given: "U A{o} A' R(o)",
    want: "U A{o} R(o) A'",
    run: "U A{o} A' R(o)",
    anywhere: "U A{o} A' R(o)",
    why: 'neighbouring assistant turns were seen accepted where results are blocks: not touched',
  },
  { id: 'LT6', given: 'U A{o}', want: 'U A{o} S(o)' },
  { id: 'LT6 while the call may still be answered', given: 'U A{o}', want: 'U A{o}', options: { inProgress: true } },
  { id: 'LT7', given: 'U A{o} U', want: 'U A{o} S(o) U', options: { inProgress: true } },
  { id: 'LT8', given: "U A{o} U'", want: "U A{o} S(o) U'" },
  { id: 'LT9', given: 'U A{m} R(m) A', want: 'U A{m} R(m) A' },
  { id: 'LT16', given: 'U A{a,b,c} R(a) R(b) R(c) A', want: 'U A{a,b,c} R(a) R(b) R(c) A' },
  { id: '§5 late result', given: "U A{x} U' A R(x) A", want: "U A{x} R(x) U' A A", anywhere: "U A{x} U' A R(x) A" },
  {
    id: '§5 result before its call',
    given: 'U R(x) A{x} A',
    want: 'U A{x} R(x) A',
    run: 'U A{x} A R(x)',
    anywhere: 'U R(x) A{x} A',
    strictly: 'U A{x} A R(x)',
    why: 'where results are found by id wherever they stand, one before its call has no known rejection',
  },
  {
    id: '§5 duplicate result',
    given: 'U A{x} R(x) A U R(x) A',
    want: 'U A{x} R(x) A U A',
  },
  {
    id: '§5 duplicate result, strict',
    given: 'U A{x} R(x) A U R(x) A',
    want: 'U A{x} R(x) A U A',
    options: { strict: true },
  },
  {
    id: '§5 real after synthetic',
    given: 'U A{x} S(x) U R(x) A',
    want: 'U A{x} R(x) U A',
    anywhere: 'U A{x} U R(x) A',
    options: { strict: true },
    why: 'where two results are accepted only the stricter mode takes one out',
  },
  {
    id: '§5 the policy omit',
    given: "U A{x,y} R(y) U' A",
    want: "U A{y} R(y) U' A",
    options: { policy: { unanswered: 'omit' } },
  },
  { id: '§5 the policy drop', given: 'U R(ghost) A', want: 'U A', options: { policy: { orphan: 'drop' } } },
  {
    id: 'G12 half-answered turn',
    given: 'U A{x,y} R(x) A',
    want: 'U A{x,y} R(x) S(y) A',
    anywhere: 'U A{x,y} S(y) R(x) A',
  },
  { id: 'Gemini suite: unpaired last call', given: 'U A{x} R(x) A{y}', want: 'U A{x} R(x) A{y} S(y)' },
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
  // What the provider behind an in-process shape rejects is only assumed, so its cases are those of the stricter mode.
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

  it('LT19, GT1: nothing stays nothing', () => {
    expect(lint([], { ...options, inProgress: true }).filter(({ rule }) => rule !== 'messages-empty')).toEqual([])
  })

  it('LT17: reading three times leaves the history alone and gives equal outcomes', () => {
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
