/**
 * A bare string, or another plain value, in a list of blocks: reported, and repaired without touching any other record.
 */
import { describe, expect, it } from 'vitest'
import { checkSessionFile, openSessionFile, planRepair } from '../../src/session-files/index.ts'
import { type FormatId, fileOf, type Line, sample } from './samples.ts'

const KEYS = { 'claude-code': 'content', pi: 'content', 'qwen-code': 'parts' } as const
const BARE = 'a bare string, ä 😀'

const linesIn = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trimEnd().split('\n')

/** Records whose message has a list of blocks. */
function placesIn(format: FormatId, key: string): number[] {
  return sample(format).flatMap(({ message }, i) => (Array.isArray((message as Line | undefined)?.[key]) ? [i] : []))
}

function withPart(format: FormatId, key: string, at: number, part: unknown) {
  const lines = structuredClone(sample(format))
  ;((lines[at]!['message'] as Line)[key] as unknown[]).push(part)
  const bytes = fileOf(lines)
  return { bytes, file: openSessionFile({ bytes }, { format }) }
}

const rulesOf = (file: ReturnType<typeof openSessionFile>) =>
  checkSessionFile(file).flatMap(({ rule, line, severity, repair }) =>
    rule === 'part-not-a-block' ? [[line, severity, repair]] : [],
  )

describe.each(Object.entries(KEYS) as [keyof typeof KEYS, string][])('%s', (format, key) => {
  const places = placesIn(format, key)

  it.each(places.map((at) => [at]))('reports and repairs a bare string in record %i, and no other byte', (at) => {
    const { bytes, file } = withPart(format, key, at, BARE)
    expect(rulesOf(file)).toEqual([[file.records[at]!.line, 'error', 'safe']])
    const plan = planRepair(file, { only: ['part-not-a-block'] })
    const [before, after] = [linesIn(bytes), linesIn(plan.bytes)]
    expect(after.flatMap((line, i) => (line === before[i] ? [] : [i]))).toEqual([at])
    expect((JSON.parse(after[at]!).message[key] as Line[]).at(-1)).toEqual(
      key === 'parts' ? { text: BARE } : { type: 'text', text: BARE },
    )
    const again = openSessionFile({ bytes: plan.bytes }, { format })
    expect(rulesOf(again)).toEqual([])
    expect(planRepair(again, { only: ['part-not-a-block'] }).bytes).toBe(plan.bytes)
  })

  it.each(places.map((at) => [at]))('leaves no error and keeps the text with all repairs, record %i', (at) => {
    const { file } = withPart(format, key, at, BARE)
    const plan = planRepair(file)
    expect(plan.remaining.filter(({ severity }) => severity === 'error')).toEqual([])
    const sent = openSessionFile({ bytes: plan.bytes }, { format }).conversations.map(({ history }) => history)
    expect(JSON.stringify(sent)).toContain(BARE)
  })

  it('removes null, and writes another value as the text of its JSON', () => {
    const [at] = places as [number]
    for (const [part, text] of [
      [null, undefined],
      [5, '5'],
      [['a', 'b'], '["a","b"]'],
    ] as const) {
      const { file } = withPart(format, key, at, part)
      expect(rulesOf(file)).toHaveLength(1)
      const { message } = JSON.parse(linesIn(planRepair(file, { only: ['part-not-a-block'] }).bytes)[at]!)
      const was = (sample(format)[at]!['message'] as Line)[key] as Line[]
      expect(message[key].slice(was.length).map((block: Line) => block['text'])).toEqual(
        text === undefined ? [] : [text],
      )
    }
  })
})

it('leaves a record alone that the next request does not contain', () => {
  const lines = structuredClone(sample('claude-code'))
  const stray: Line = { ...structuredClone(lines[0]!), uuid: 'stray', parentUuid: null, isSidechain: false }
  ;(stray['message'] as Line)['content'] = [BARE]
  const file = openSessionFile({ bytes: fileOf([stray, ...lines]) }, { format: 'claude-code' })
  expect(rulesOf(file)).toEqual([])
})
