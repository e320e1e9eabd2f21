/**
 * Reading a file line by line in ranges: every line exactly once, in whichever range it begins, and never a line that
 * is too long.
 */
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { eachLine, LONGEST_LINE } from '../../src/cli/histories/each-line.ts'

const folder = mkdtempSync(join(tmpdir(), 'suture-lines-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The lines of all ranges of this length, one after the other; a line that is too long as its mark. */
function linesIn(content: Buffer, step: number): string[] {
  const path = join(folder, 'lines.txt')
  writeFileSync(path, content)
  const file = openSync(path, 'r')
  const lines: string[] = []
  for (let from = 0; from < content.length; from += step)
    eachLine(file, from, from + step, (bytes, start, end) => {
      lines.push(start > end ? '(too long)' : bytes.toString('latin1', start, end))
    })
  closeSync(file)
  return lines
}

it('returns every line once, for any ranges', () => {
  const lines = fc.array(fc.string({ unit: 'grapheme-ascii', maxLength: 12 }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(lines, fc.boolean(), fc.integer({ min: 1, max: 40 }), (all, isEnded, step) => {
      const text = all.map((line) => line.replaceAll('\n', ' ')).join('\n') + (isEnded ? '\n' : '')
      const expected = text.split('\n')
      if (expected.at(-1) === '') expected.pop()
      expect(linesIn(Buffer.from(text, 'latin1'), step)).toEqual(expected)
    }),
  )
})

it('reports a line that is too long once, and the lines around it', () => {
  const long = Buffer.alloc(LONGEST_LINE + 10, 120)
  const content = Buffer.concat([Buffer.from('a\nb\n'), long, Buffer.from('\nc\n')])
  for (const step of [16 * 1024 * 1024, content.length])
    expect(linesIn(content, step)).toEqual(['a', 'b', '(too long)', 'c'])
  expect(linesIn(Buffer.concat([Buffer.from('a\n'), long]), 16 * 1024 * 1024)).toEqual(['a', '(too long)'])
})

it('gives lines that are longer than a chunk whole', () => {
  const line = 'y'.repeat(9 * 1024 * 1024)
  expect(linesIn(Buffer.from(`a\n${line}\nb\n`), 1024 * 1024).map(({ length }) => length)).toEqual([1, line.length, 1])
})
