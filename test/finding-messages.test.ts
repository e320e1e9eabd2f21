/**
 * Every message of every rule as a user sees it, in one table to review: `test/__snapshots__/finding-messages.md`. The
 * findings are real: from the contract's tables of rejected requests, and from samples for what those do not have.
 */
import { expect, it } from 'vitest'
import { tables } from '../contract/testing/cases/index.ts'
import { dialects, openaiChat } from '../src/dialects/index.ts'
import { type Finding, type Provider, providers, rules } from '../src/index.ts'
import { parseHistory } from '../src/testing/notation/index.ts'
import { type Sample, samples } from './finding-messages-samples.ts'
import { lint } from './untyped-api.ts'

const keys = rules.flatMap(({ id, messages }) => Object.keys(messages).map((message) => `${id} ${message}`))

function collected(): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const add = (findings: readonly Finding[]) => {
    for (const { rule, id, message } of findings) {
      if (!found.has(`${rule} ${id}`)) found.set(`${rule} ${id}`, message)
    }
  }
  for (const { to, rejected } of Object.values(tables))
    for (const [body, rule] of Object.values(rejected)) add(findingsOf(body, to.provider, to.model, rule))
  for (const sample of samples) add(inSample(sample))
  return found
}

/** For the request as it is, and after a rejection by this rule. A body that is not a request has no findings. */
function findingsOf(body: unknown, provider: string, model: string | undefined, rule: string): readonly Finding[] {
  if (typeof body !== 'object' || body === null) return []
  const known = rules.some(({ id }) => id === rule) ? [[], [rule]] : [[]]
  return known.flatMap((rejectedBy) => {
    try {
      return lint(body, { provider, model, rejectedBy })
    } catch {
      return []
    }
  })
}

function inSample({ provider, history, dialect, options, body }: Sample): readonly Finding[] {
  const to = typeof provider === 'string' ? providers.find(({ id }) => id === provider)! : example(provider)
  const { serves } = to
  const spoken = serves.find((one) => one.dialect.id === dialect)?.dialect ?? serves[0]!.dialect
  const list = typeof history === 'string' ? parseHistory(history, spoken.id) : history
  const given = body ? { ...body, [spoken.key]: list } : list
  return lint(given, { provider: to, dialect: spoken.id, ...options })
}

function example(constraints: Exclude<Sample['provider'], string>): Provider {
  return { id: 'example', hosts: [], serves: [{ dialect: openaiChat, constraints }] }
}

it('every message of every rule is in the table, in plain English', async () => {
  const found = collected()
  expect(keys.filter((key) => !found.has(key))).toEqual([])
  const rows = keys.map((key) => `| ${key.replace(' ', ' | ')} | ${found.get(key)!.replaceAll('|', '\\|')} |`)
  const table = ['| rule | message | as a user sees it |', '|---|---|---|', ...rows, ''].join('\n')
  await expect(table).toMatchFileSnapshot('__snapshots__/finding-messages.md')
})

it('a message has no unfilled placeholder, names its subject, and is a sentence', () => {
  for (const [key, message] of collected()) {
    expect(message, key).not.toMatch(/\{\w+\}|undefined|\(new\)/)
    expect(message, key).toMatch(/[.]$/)
  }
})

it('reads every dialect of the samples', () => {
  const ids = dialects.map(({ id }) => id)
  expect(samples.every(({ dialect }) => dialect === undefined || ids.includes(dialect as never))).toBe(true)
})
