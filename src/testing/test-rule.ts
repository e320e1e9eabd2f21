/**
 * Tests of a rule as a table of histories: each case runs in every dialect that can express it, on frozen input. The
 * promises of repair are checked after each case, so that no table has to repeat them.
 */
import { describe, expect, it } from 'vitest'
import {
  type Constraint,
  type ConstraintTable,
  type Dialect,
  type JsonObject,
  lint,
  type Rule,
  repair,
  type Target,
} from '../core/index.ts'
import { dialects as allDialects } from '../dialects/index.ts'
import { frozen } from './frozen.ts'
import { expressible, parseHistory, printHistory } from './notation/index.ts'
import { checkPromises } from './promises.ts'

/** Options of a caller in addition to the service. */
export type CaseOptions = Omit<Partial<Target>, 'service' | 'rules'>

/** A history in notation, or a native one with its dialect. */
export type Case = string | CaseObject

/** A case of a rule. */
export interface CaseObject {
  readonly before: string | readonly unknown[]
  /** The dialect of a native history. */
  readonly dialect?: string
  /** Only in these dialects, for a case that not all can express. */
  readonly dialects?: readonly string[]
  /** Parameters of the constraint, for this case only. */
  readonly constraint?: Partial<Constraint>
  readonly options?: CaseOptions
  /** The request around the history. */
  readonly body?: JsonObject
}

/** A case in which the rule finds something. */
export interface InvalidCase extends CaseObject {
  /** Message id followed by the values of its data, in order. */
  readonly finds: readonly string[]
  /** Absent: repair leaves the history as it is. */
  readonly after?: string | readonly unknown[]
  /** The outcome in dialects that end up with another shape. */
  readonly afterIn?: Readonly<Record<string, string | readonly unknown[]>>
  /** Keys of the request that have changed. */
  readonly afterBody?: JsonObject
}

/** The cases of one rule. */
export interface RuleTable {
  readonly constraint?: Partial<Constraint>
  readonly constraints?: ConstraintTable
  /** Rules that repair together with this one; their findings are not counted. */
  readonly with?: readonly Rule[]
  readonly dialects?: readonly string[]
  readonly valid: Readonly<Record<string, Case>>
  readonly invalid: Readonly<Record<string, InvalidCase>>
}

/** Tests a rule on a table of cases, in every dialect that can express them. */
export function testRule(rule: Rule, table: RuleTable): void {
  describe(rule.id, () => {
    checkTable(table)
    for (const [name, one] of Object.entries(table.valid)) {
      const each = typeof one === 'string' ? { before: one } : one
      for (const dialect of dialectsFor(each, table)) {
        it(`accepts ${name} (${dialect.id})`, () => checkValid(rule, table, each, dialect))
      }
    }
    for (const [name, one] of Object.entries(table.invalid)) {
      for (const dialect of dialectsFor(one, table)) {
        it(`repairs ${name} (${dialect.id})`, () => checkInvalid(rule, table, one, dialect))
      }
    }
  })
}

function checkValid(rule: Rule, table: RuleTable, one: CaseObject, dialect: Dialect): void {
  const input = inputOf(one, dialect)
  const target = targetOf(rule, table, one, dialect)
  const findings = lint(input, target).filter((finding) => finding.rule === rule.id)
  expect(findings.map(summary), printHistory(input, dialect)).toEqual([])
  if (table.with === undefined) expect(repair(input, target).value).toBe(input)
}

function checkInvalid(rule: Rule, table: RuleTable, one: InvalidCase, dialect: Dialect): void {
  const input = inputOf(one, dialect)
  const target = targetOf(rule, table, one, dialect)
  const repaired = repair(input, target)
  const findings = repaired.findings.filter((finding) => finding.rule === rule.id)
  expect(findings.map(summary), printHistory(input, dialect)).toEqual(one.finds)
  const after = one.afterIn?.[dialect.id] ?? one.after
  if (after === undefined && one.afterBody === undefined) expect(repaired.value).toBe(input)
  if (typeof after === 'string') {
    const wanted = printHistory(parseHistory(after, dialect.id), dialect)
    expect(printHistory(repaired.value, dialect)).toBe(wanted)
  } else if (after !== undefined) expect(historyIn(repaired.value, dialect)).toEqual(after)
  if (one.afterBody) expect(repaired.value).toMatchObject(one.afterBody)
  checkPromises(input, target, repaired)
}

/** A finding in the form of a table: message id and data, no prose. */
function summary({ id, data }: { readonly id: string; readonly data: Readonly<Record<string, unknown>> }): string {
  return [id, ...Object.values(data).map(String)].join(' ')
}

function inputOf({ before, body }: CaseObject, dialect: Dialect): unknown {
  const history = typeof before === 'string' ? parseHistory(before, dialect.id) : structuredClone(before)
  return frozen(body === undefined ? history : { ...structuredClone(body), [dialect.key]: history })
}

function historyIn(input: unknown, dialect: Dialect): unknown {
  return Array.isArray(input) ? input : (input as JsonObject)[dialect.key]
}

function targetOf(rule: Rule, table: RuleTable, one: CaseObject, dialect: Dialect): Target {
  const constraint: Constraint = { evidence: 'many-reports', ...table.constraint, ...one.constraint }
  return {
    ...one.options,
    service: { dialect, constraints: { ...table.constraints, [rule.id]: constraint } },
    rules: [rule, ...(table.with ?? [])],
  }
}

function dialectsFor(
  one: CaseObject & { after?: unknown; afterIn?: InvalidCase['afterIn'] },
  table: RuleTable,
): readonly Dialect[] {
  const wanted = one.dialect === undefined ? (one.dialects ?? table.dialects) : [one.dialect]
  const chosen = wanted === undefined ? allDialects : wanted.map(dialectOf)
  const fits = chosen.filter(({ id }) => says(one.before, id) && says(one.afterIn?.[id] ?? one.after, id))
  if (fits.length === 0) throw new Error(`No dialect can express this case: ${JSON.stringify(one.before)}`)
  return fits
}

function dialectOf(id: string): Dialect {
  const dialect = allDialects.find((known) => known.id === id)
  if (!dialect) throw new Error(`There is no dialect "${id}".`)
  return dialect
}

function says(history: unknown, dialect: string): boolean {
  return typeof history !== 'string' || expressible(history, dialect)
}

/** Rejects a table that tests less than it seems to. */
export function checkTable({ valid, invalid }: RuleTable): void {
  const seen = new Map<string, string>()
  for (const [name, one] of [...Object.entries(valid), ...Object.entries(invalid)]) {
    const key = JSON.stringify(typeof one === 'string' ? { before: trimmed(one) } : keyOf(one))
    if (seen.has(key)) throw new Error(`"${name}" is the same case as "${seen.get(key)}".`)
    seen.set(key, name)
    if (typeof one !== 'string' && typeof one.before !== 'string' && one.dialect === undefined) {
      throw new Error(`"${name}" has a native history and names no dialect.`)
    }
  }
  for (const [name, one] of Object.entries(valid)) {
    if (typeof one !== 'string' && 'finds' in one) throw new Error(`"${name}" is valid and has a list of findings.`)
  }
  for (const [name, { before, after, finds, afterBody }] of Object.entries(invalid)) {
    if (finds === undefined || finds.length === 0) throw new Error(`"${name}" is invalid and has no findings.`)
    if (after === undefined || afterBody !== undefined) continue
    if (JSON.stringify(trimmed(after)) === JSON.stringify(trimmed(before))) {
      throw new Error(`"${name}" is not changed: omit "after" if nothing is repaired.`)
    }
  }
}

function keyOf({ before, dialect, dialects, constraint, options, body }: CaseObject): unknown {
  const patterns =
    constraint && Object.entries(constraint).map(([name, fact]) => [name, fact instanceof RegExp ? String(fact) : fact])
  return { before: trimmed(before), dialect, dialects, patterns, options, body }
}

function trimmed(history: string | readonly unknown[]): unknown {
  if (typeof history !== 'string') return history
  return history
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
