/**
 * The lexicon: what is in it is used, and what it makes of the texts of providers that it was not written after.
 */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { skippable } from '../../../test/skip-reasons.ts'
import { wordsIn } from './concepts.ts'
import { errorTextsIn } from './error-texts.ts'
import { classify } from './index.ts'
import { meanings, sayings, things } from './lexicon.ts'
import { meaningOf, readerOf, rowsOf, seenIn } from './meaning.ts'

interface Entry {
  readonly provider: string
  readonly status: number | null
  readonly message: string
  readonly body?: string | null
  readonly rule: string | null
  readonly class?: string
}

const corpora = ['error-corpus.json', 'error-corpus-new-wordings.json'].map(
  (name) => new URL(`../../../../shared/${name}`, import.meta.url),
)
const absent = !corpora.every((one) => existsSync(one))
const entries: readonly Entry[] = absent ? [] : corpora.flatMap((one) => JSON.parse(readFileSync(one, 'utf8')))

/** Classes of the corpus that stand for several of ours. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  size: ['prompt-too-long', 'request-too-large', 'rate-tier-too-small', 'max-tokens-overflow'],
  setting: ['bad-parameter', 'tool-schema-invalid', 'parameter-conflict', 'beta-field-without-header'],
  busy: ['conversation-locked'],
  history: ['document-unreadable', 'image-unsupported'],
  client: ['document-unreadable'],
}

function bodyOf({ message, body }: Entry): string {
  return message === 'Provider returned error' ? (body ?? message) : message
}

describe('the tables', () => {
  const names = new Set([...rowsOf(things), ...rowsOf(sayings)].map(([name]) => name))
  const used = new Set(rowsOf(meanings).flatMap(([, lines]) => lines.split(/[ |!<>]+/)))

  it('use every concept, and no other', () => {
    const places = ['@history', '@tools', '']
    expect([...used].filter((one) => !names.has(one) && !places.includes(one))).toEqual([])
    // A thing that no combination needs still ends the wording of another one.
    expect(rowsOf(sayings).filter(([name]) => !used.has(name))).toEqual([])
  })

  it('have each wording of a concept once', () => {
    for (const [name, list] of [...rowsOf(things), ...rowsOf(sayings)]) {
      const plain = list.split('|')
      expect(
        plain.filter((one, i) => plain.indexOf(one) !== i),
        name,
      ).toEqual([])
      expect(
        plain.filter((one) => wordsIn(one).length === 0),
        name,
      ).toEqual([])
    }
  })
})

describe('concepts', () => {
  const conceptsOf = (text: string) => seenIn(text).map(({ concept }) => concept)

  it.each([
    ['messages.4.content.0.tool_use.name', ['@history', 'callName']],
    ['toolUseId', ['callId']],
    ['the TOOL-CALL-ID', ['callId']],
    ['工具结果', ['result']],
    ['ｔｏｏｌ　ｃａｌｌ', ['call']],
    ['tools[3].function.name', ['@tools', 'name']],
  ])('%s', (text, concepts) => {
    expect(conceptsOf(text)).toEqual(expect.arrayContaining(concepts))
  })

  it.skipIf(absent)(
    skippable('of every text of the corpus', absent && 'no error-corpus.json beside the corpus'),
    () => {
      const blank = entries.filter((entry) =>
        errorTextsIn(bodyOf(entry)).texts.every((text) => seenIn(text).length === 0),
      )
      expect(blank.map(({ message }) => message)).toEqual([])
    },
  )
})

describe('texts of a provider that is left out', () => {
  const source = ({ provider }: Entry) => provider.toLowerCase().split(' (')[0]!.trim()
  const texts = entries.map((entry) => ({
    entry,
    words: ` ${errorTextsIn(bodyOf(entry))
      .texts.map((one) => wordsIn(one).join(' '))
      .join(' # ')} `,
  }))

  /** Without the wordings that only this source has. */
  const without = (table: string, left: string): string =>
    rowsOf(table)
      .map(([name, list]) => {
        const kept = list.split('|').filter((one) => {
          const phrase = ` ${wordsIn(one).join(' ')} `
          const sources = new Set(texts.filter(({ words }) => words.includes(phrase)).map(({ entry }) => source(entry)))
          return !(sources.size === 1 && sources.has(left))
        })
        return `${name}: ${kept.length > 0 ? kept.join('|') : 'no other wording'}`
      })
      .join('\n')

  const isRight = ({ rule, class: kind }: Entry, meant: readonly string[]) =>
    meant.some((one) => one === rule || (rule === null && ALSO[kind ?? '']?.includes(one)))

  it.skipIf(absent)(
    skippable(
      'are mostly understood without it, and seldom wrongly',
      absent && 'no error-corpus.json beside the corpus',
    ),
    () => {
      const found = { right: 0, wrong: 0, unknown: 0 }
      for (const left of new Set(entries.map(source))) {
        const reader = readerOf(without(things, left), without(sayings, left), meanings)
        for (const entry of entries.filter((one) => source(one) === left)) {
          const meant = meaningOf(errorTextsIn(bodyOf(entry)).texts, reader).meanings
          found[isRight(entry, meant) ? 'right' : meant.length === 0 ? 'unknown' : 'wrong']++
        }
      }
      expect(found.right / entries.length).toBeGreaterThan(0.8)
      expect(found.wrong / entries.length).toBeLessThan(0.1)
    },
  )
})

describe('evidence', () => {
  const at = (status: number, body: string, headers: Record<string, string> = {}) =>
    classify({ status, headers: new Headers(headers), body }, () => [])

  it('a word alone does not make a rejection one that is sent again', () => {
    expect(at(400, 'Rate limit reached. Slow down.')).toMatchObject({ kind: 'other', rule: 'rate-limited' })
    expect(at(400, 'too many tokens remaining').kind).not.toBe('retryable')
    expect(at(400, 'The server is overloaded.', { 'retry-after': '3' })).toMatchObject({
      kind: 'retryable',
      wait: 3000,
    })
    expect(at(429, 'Slow down.').kind).toBe('retryable')
    expect(at(400, '{"error":{"type":"rate_limit_error","message":"Slow down."}}').kind).toBe('retryable')
  })

  it('a status of the server does not, if the text is about the history or its size', () => {
    expect(at(500, 'internal error: 输入内容超长，请缩短后重试.')).toMatchObject({
      kind: 'size',
      rule: 'prompt-too-long',
    })
    const text = "Invalid value at 'contents[2].parts[0].thought_signature' (TYPE_BYTES), Base64 decoding failed"
    expect(at(500, text)).toMatchObject({ kind: 'reasoning', rule: 'thought-signature-invalid' })
  })

  it.each([
    ["Invalid value: 'messages[2].tool_calls[0].type'.", 2, 'tool_calls[0].type'],
    ['input[5].action.type: invalid', 5, 'action.type'],
    ['contents[2].parts[0]: malformed', 2, 'parts[0]'],
    ['messages.4.content.0: no such thing', 4, 'content.0'],
    ['{"detail":[{"loc":["body","messages",2,"x"],"msg":"oh"}]}', 2, undefined],
  ])('a place decides that it is the history: %s', (text, message, part) => {
    const found = at(400, text)
    expect(['history', 'reasoning']).toContain(found.kind)
    expect(found).toMatchObject({ message, ...(part === undefined ? {} : { part }) })
  })
})
