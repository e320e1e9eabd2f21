/**
 * Every function of every entry point with wrong arguments: whatever is thrown is an error of ours that says what to
 * do, never a raw TypeError. Generated from the exports of package.json, so that a new function is in it by itself.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ContractError } from '../contract/index.ts'
import { CircuitBreaker } from '../src/compact.ts'
import { isSutureError } from '../src/index.ts'
import { memoryStore, openSession, Session } from '../src/session.ts'

const root = join(import.meta.dirname, '..')
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, { default: string } | string>
}
const entryPoints = Object.entries(exports).flatMap(([entryPoint, target]) =>
  typeof target === 'string' || entryPoint.includes('*')
    ? []
    : [[entryPoint, target.default.replace('./dist/', '../').replace(/\.js$/, '.ts')] as const],
)

/** Not asked, and why. */
const APART: Readonly<Record<string, readonly string[]>> = {
  // Classes of errors: what JavaScript's own takes.
  '.': ['SutureError'],
  './contract': ['ContractError'],
  // Building blocks for authors of rules and dialects: they run once a part, and are held by types alone.
  './core': ['Part', 'SutureError', 'defineRule', 'placeOf', 'valueAt', 'withKey'],
  // They register tests of their own, or make arbitraries and histories for them.
  './testing': [
    'brokenHistory',
    'Random',
    'checkPromises',
    'conversation',
    'expressible',
    'frozen',
    'history',
    'printHistory',
    'validHistory',
    'switchedHistory',
    'testDialect',
    'testRule',
    'testStore',
  ],
  // For authors of stores: part of the format on disk, called with what a store was given.
  './session': ['callKey', 'chain', 'digestOf', 'sha256'],
}

const values: readonly unknown[] = [
  undefined,
  null,
  Number.NaN,
  5,
  true,
  'x',
  '',
  Symbol('x'),
  1n,
  {},
  [],
  [null],
  () => {},
  { noSuchOption: 1 },
  { provider: 'openai', noSuchOption: 1 },
  new Error('x'),
]

/** No argument, each alone, and each after each. */
const lists: readonly (readonly unknown[])[] = [
  [],
  ...values.map((value) => [value]),
  ...values.flatMap((one) => values.map((other) => [one, other])),
  ...values.flatMap((value) => [
    [[], value, value],
    ['x', 'x', value],
    [{}, [], value],
  ]),
]

function isOurs(error: unknown): boolean {
  const isNamed = isSutureError(error) || error instanceof ContractError
  return isNamed && /[a-z].*\.$/s.test((error as Error).message) && (error as Error).message.length > 20
}

/** What was thrown that is not ours, with the arguments that did it. */
async function thrownBy(call: (args: readonly unknown[]) => unknown): Promise<readonly string[]> {
  const raw: string[] = []
  for (const args of lists) {
    try {
      const outcome = await call(args)
      await (outcome as { close?: () => unknown } | undefined)?.close?.()
    } catch (error) {
      if (!isOurs(error)) raw.push(`${args.map(shown).join(', ')}: ${String(error)}`)
    }
  }
  return raw
}

function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null && !(value instanceof Error)) return JSON.stringify(value)
  return typeof value === 'string' ? `'${value}'` : String(value)
}

/** Rules, providers and dialects are data. */
const DATA = ['./rules', './providers', './dialects']
describe.each(entryPoints.filter(([entryPoint]) => !DATA.includes(entryPoint)))('%s', async (entryPoint, file) => {
  const names: Record<string, unknown> = await import(file)
  const functions = Object.entries(names).filter(
    ([name, value]) => typeof value === 'function' && !APART[entryPoint]?.includes(name),
  )
  it.each(functions)('%s', async (name, value) => {
    const isClass = /^[A-Z]/.test(name) && Object.hasOwn(value as object, 'prototype')
    const call = (args: readonly unknown[]) =>
      isClass ? Reflect.construct(value as never, args) : (value as (...all: readonly unknown[]) => unknown)(...args)
    expect(await thrownBy(call)).toEqual([])
  })
})

const methodsOf = (type: { prototype: object }): string[] => {
  const names: string[] = []
  for (let one = type.prototype; one !== Object.prototype; one = Object.getPrototypeOf(one))
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(one)))
      if (typeof value === 'function' && name !== 'constructor') names.push(name)
  return names
}

/** Private to TypeScript only: called with what the public ones have checked. */
const INNER = ['note', 'write', 'newId', 'stamp', 'rows', 'groups', 'turn', 'valid', 'causeOf', 'run', 'stateOf']

describe('methods', () => {
  it.each(methodsOf(Session).filter((name) => !INNER.includes(name)))('session.%s', async (name) => {
    const session = await openSession(memoryStore(), 'c', { provider: 'openai' })
    await session.append([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
    ])
    const method = (session as unknown as Record<string, (...all: readonly unknown[]) => unknown>)[name]!
    expect(await thrownBy((args) => method.apply(session, [...args]))).toEqual([])
    expect((await session.verify()).valid).toBe(true)
  })

  it.each(methodsOf(CircuitBreaker).filter((name) => !INNER.includes(name)))('breaker.%s', async (name) => {
    const breaker = new CircuitBreaker() as unknown as Record<string, (...all: readonly unknown[]) => unknown>
    expect(await thrownBy((args) => breaker[name]!(...args))).toEqual([])
  })
})
