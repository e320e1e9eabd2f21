/** The lexicon: what is in it is used, and what it makes of the texts of providers that it was not written after. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readRejections } from '../../../scripts/docs/rejections.ts'
import { outsideHistory } from '../../../test/error-texts-outside-history.ts'
import { skippable } from '../../../test/skip-reasons.ts'
import { wordsIn } from './concepts.ts'
import { errorTextsIn } from './error-texts.ts'
import { classify, explain } from './index.ts'
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

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

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
    const known = (one: string) => names.has(one) || places.includes(one) || one.startsWith('=')
    expect([...used].filter((one) => !known(one))).toEqual([])
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
  const docs: readonly Entry[] = readRejections(ROOT).sections.flatMap(({ id, rows }) =>
    rows.flatMap(({ rule, texts }) => texts.map((message) => ({ provider: id, status: 400, message, rule }))),
  )
  const source = ({ provider }: Entry) => provider.toLowerCase().split(' (')[0]!.trim()
  const texts = [...entries, ...docs].map((entry) => ({
    entry,
    words: ` ${errorTextsIn(bodyOf(entry))
      .texts.map((one) => wordsIn(one).join(' '))
      .join(' # ')} `,
  }))

  /** Without the phrases that only this source has. Single words are those of the language. */
  const without = (table: string, left: string): string =>
    rowsOf(table)
      .map(([name, list]) => {
        const kept = list.split('|').filter((one) => {
          if (wordsIn(one).length < 2) return true
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
      // Texts that only their numbers or a verbatim pattern tell apart count as wrong here.
      expect(found.right / entries.length).toBeGreaterThan(0.8)
      expect(found.wrong / entries.length).toBeLessThan(0.08)
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

  it('an id of the sent history does, too', () => {
    const body = 'We do not like call_ab12cd34.'
    const asked = (sends: boolean) =>
      classify(
        { status: 400, headers: new Headers(), body },
        () => [],
        Date.now,
        () => sends,
      )
    expect(asked(true)).toMatchObject({ kind: 'history', confidence: 'likely', ids: ['call_ab12cd34'] })
    expect(asked(false)).toMatchObject({ kind: 'other', confidence: 'unknown' })
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

describe('texts that are not about a history', () => {
  const about = new Set(['history', 'reasoning', 'stale-id', 'undeclared-tool', 'size'])
  const all = Object.entries(outsideHistory).flatMap(([group, texts]) => texts.map((text) => [group, text] as const))

  it('are more than 150', () => expect(all.length).toBeGreaterThan(150))

  it.each(all)('%s: %s', (group, text) => {
    for (const status of [0, 400, 500]) {
      const found = classify({ status, headers: new Headers(), body: text }, () => [])
      expect(about.has(found.kind), `${found.kind} ${found.rule}`).toBe(false)
      if (status === 400) expect(found.kind).not.toBe('retryable')
    }
    if (group === 'transient') expect(['retryable', 'other', 'unknown']).toContain(explain(text).kind)
    else expect(['other', 'unknown', 'output-limit', 'retryable']).toContain(explain(text).kind)
  })
})

describe('the texts of the docs', () => {
  it.each(readRejections(ROOT).size.map(({ text }) => [text]))('about size: %s', (text) => {
    if (text === 'no body') return
    expect(['size', 'output-limit']).toContain(explain(text.replace(/\{\w\}/g, '200000')).kind)
  })

  const guide = readFileSync(new URL('../../../docs/guide/troubleshooting.md', import.meta.url), 'utf8')
  const rows = [...guide.matchAll(/^\| (`.*) \| [^|]* \| (.*) \|$/gm)].filter(([, , pages]) =>
    /rules\/|compaction/.test(pages!),
  )
  const excerpts = rows.flatMap(([, texts, pages]) =>
    texts!.split(' · ').map((text) => [text.replaceAll('`', ''), pages!] as const),
  )

  it.each(excerpts)('the guide to troubleshooting: %s', (text, pages) => {
    const { kind, rule } = explain(text)
    if (pages.includes('compaction.md')) expect(kind).toBe('size')
    else expect(pages).toContain(`rules/${rule}.md`)
  })
})

describe('a screenful of a log', () => {
  const noise = Array.from(
    { length: 1200 },
    (_, i) => `2026-11-20T00:00:01Z INFO turn ${i}: tool result saved, no pending call_${i}`,
  )
  const broken =
    '{"type":"error","error":{"message":"messages.4: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01A"}}'

  it.each([
    ['one line', `ERROR request failed: 400 ${broken}`],
    ['a body over several lines', `Error running task: ${JSON.stringify(JSON.parse(broken), null, 2)}`],
    [
      'an exception after its stack',
      `Traceback (most recent call last):\n  File "x.py", line 3\nBadRequestError: Error code: 400 - ${broken}`,
    ],
  ])('%s', (_name, report) => {
    expect(explain([...noise, report, ...noise.slice(0, 40)].join('\n'))).toMatchObject({
      rule: 'tool-result-missing',
      ids: ['toolu_01A'],
      message: 4,
    })
  })

  it('without an error is unknown', () => {
    expect(explain(noise.join('\n'))).toMatchObject({ kind: 'unknown' })
  })
})
