/**
 * Fourteen histories that fifteen other repairers were run on: valid after repair in every dialect, with the real
 * output kept wherever there is one.
 */

import { describe, expect, it } from 'vitest'
import { type Dialect, dialects, type Part } from '../src/index.ts'
import { expressible, parseHistory } from '../src/testing/index.ts'
import { peerHistories } from './peer-histories.ts'
import { notationOf } from './shorthand.ts'
import { lint, repair } from './untyped-api.ts'

const mains = [
  'openai',
  'openai-responses',
  'anthropic',
  'gemini',
  'bedrock',
  'ai-sdk',
  'langchain',
  'mistral',
  'strictest',
]

describe.each(dialects.map((dialect) => [dialect.id, dialect] as const))('%s', (id, dialect: Dialect) => {
  it.each(Object.entries(peerHistories).filter(([, given]) => expressible(notationOf(given), id)))(
    '%s',
    (_name, given) => {
      const history = parseHistory(notationOf(given), id)
      for (const provider of mains) {
        const options = { provider, dialect: id }
        if (!serves(options)) continue
        const repaired = repair(history, options).value
        expect(lint(repaired, options).filter(({ severity }) => severity === 'error')).toEqual([])
        for (const real of given.match(/REAL2?/g) ?? []) expect(JSON.stringify(repaired)).toContain(real)
        for (const prompt of history.flatMap((message, i) => promptsIn(message, i, dialect)))
          expect(JSON.stringify(repaired)).toContain(prompt)
      }
    },
  )
})

function serves(options: { provider: string; dialect: string }): boolean {
  try {
    lint([], options)
    return true
  } catch {
    return false
  }
}

function promptsIn(message: unknown, index: number, dialect: Dialect): string[] {
  const parts: Part[] = []
  if (dialect.read(message, index, parts) !== 'user') return []
  return parts.filter(({ kind }) => kind === 'text').map(({ body }) => JSON.stringify(body).slice(1, -1))
}
