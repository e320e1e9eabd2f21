/**
 * Words that this project does not use, with the words to use instead. A provider's own text or key may contain them:
 * those lines are listed.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

const words: Readonly<Record<string, string>> = {
  'mend|mends|mended|mending': 'repair',
  'told|unless told': 'name the default, or say who gets what',
  heard: 'say what was reported',
  whoever: 'name who it is',
  nobody: 'no one, or name what is missing',
  'law|laws': 'constraint',
  'heal|heals|healed|sanitize|sanitized': 'repair',
  'stand-in|stand-ins': 'emulator',
  'refusals|refuse|refuses|refused|refusing': 'reject, rejection (a refusal is what a model does)',
  glance: 'name the check',
  'wish|wishes|wished': 'option, request',
  passage: 'transport, request',
  'whosoever|whatsoever|whichsoever': 'any',
  'so-many-eth|abyss|thereof': 'nth, deep nesting, its',
  'dear|in hand|by chance': 'costly, current, at random',
}

/**
 * Lines in which such a word is right: `nobody` is a user of Unix, and a model refuses. `refusal` alone is a field of
 * OpenAI's messages.
 */
const allowed: readonly RegExp[] = [
  /user "postgres" or "nobody"|\['postgres', 'nobody'\]/,
  /A live file is refused with exit/,
  /\bmodel'?s? (?:itself )?refuse|refusals? of (?:a|the) model|calls, refuses or|refusals:|\brefusals\b.*Map<number, string>|draft\.refusals|\[\.\.\.refusals\]|texts, refusals/,
]

/** This file, what is written by others, and the history of changes, which names what was renamed. */
const skipped =
  /^(?:test\/words\.test\.ts|CHANGELOG\.md|package-lock\.json|docs\/rejections\.(?:md|json)|plugins\/.*\.mjs)$/

const texts = /\.(?:ts|tsx|md|json|css|html|yml|mjs)$/

function tracked(): readonly string[] {
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')
  return files.filter((file) => texts.test(file) && !skipped.test(file) && !file.includes('fixtures/'))
}

const files = existsSync(join(root, '.git')) ? tracked() : []

function linesWith(pattern: RegExp): readonly string[] {
  return files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, i) => (pattern.test(line) && !isQuoted(file, line) ? [`${file}:${i + 1}: ${line.trim()}`] : [])),
  )
}

/** A text of a provider: in a contract, in a pattern for one, or in the data of rejections. */
function isQuoted(file: string, line: string): boolean {
  return allowed.some((one) => one.test(line)) || /^docs\/data\//.test(file)
}

describe.skipIf(files.length === 0)('words that have a plainer one', () => {
  it.each(Object.entries(words))('%s: %s', (word) => {
    expect(linesWith(new RegExp(`(?<![\\w-])(?:${word})(?![\\w-])`, 'i'))).toEqual([])
  })
})

describe.skipIf(files.length === 0)('comments', () => {
  it('of core and rules wrap at 120 columns', () => {
    const sources = files.filter((file) => /^src\/(?:core|rules)\/.*\.ts$/.test(file))
    const long = sources.flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, i) => (/^\s*(?:\/?\*|\/\/)/.test(line) && line.length > 120 ? [`${file}:${i + 1}`] : [])),
    )
    expect(long).toEqual([])
  })
})
