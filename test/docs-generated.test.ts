/** Generated docs are current, and every link and anchor in the repository's Markdown and comments resolves. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { errorPages } from '../scripts/docs/error-pages.ts'
import { anchorOf, readRejections } from '../scripts/docs/rejections.ts'
import { rejectionsPage } from '../scripts/docs/rejections-page.ts'
import { PAGES_WITH_REPOSITORY, withRepository } from '../scripts/docs/repository.ts'
import { withGeneratedParts } from '../scripts/docs/rule-page.ts'
import { rulesIndex } from '../scripts/docs/rules-index.ts'
import { sessionFolders } from '../scripts/docs/session-folders.ts'
import { explanations, rules } from '../src/rules/index.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const data = readRejections(root)

describe('generated docs are what `npm run docs` writes', () => {
  it('docs/rejections.md', () => expect(read('docs/rejections.md')).toBe(rejectionsPage(data, root)))
  it('docs/errors', () => {
    const pages = errorPages(data)
    expect(readdirSync(join(root, 'docs/errors')).sort()).toEqual([...pages.keys()].sort())
    for (const [name, page] of pages) expect(read(`docs/errors/${name}`), name).toBe(page)
  })
  it('docs/rules/README.md', () => expect(read('docs/rules/README.md')).toBe(rulesIndex()))
  it('docs/reference/session-folders.md', () =>
    expect(read('docs/reference/session-folders.md')).toBe(sessionFolders()))
  it.each(PAGES_WITH_REPOSITORY)('%s has the repository of package.json', (page) => {
    expect(withRepository(read(page), packageJson.repository)).toBe(read(page))
    expect(withRepository(read(page), 'github:someone/other').match(/someone\/other/g)).toHaveLength(2)
  })
  it('no other page and no source names the repository', () => {
    const [owner] = packageJson.repository.replace('github:', '').split('/')
    const texts = [
      ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'llms.txt', 'action.yml'],
      ...['docs', 'plugins', 'src', 'contract'].flatMap((folder) => filesBelow(folder, /\.(?:md|tsx?|json|svg)$/)),
    ]
    const naming = texts.filter((path) => read(path).includes(`${owner}/suture`))
    expect(naming).toEqual(PAGES_WITH_REPOSITORY)
  })
  it.each(rules.map(({ id }) => id))('docs/rules/%s.md', (id) => {
    const page = read(`docs/rules/${id}.md`)
    for (const part of ['errors', 'providers', 'reference']) expect(page).toContain(`<!-- begin: ${part} -->`)
    expect(page).toBe(withGeneratedParts(page, id, data, root))
  })
})

describe('what a repair does is in the explanation of the rule, and its page has the same sentence', () => {
  it.each(rules.map(({ id, repair }) => [id, repair] as const))('%s', (id, repair) => {
    const { repair: sentence } = explanations[id]!
    expect(sentence === undefined, 'a rule that repairs nothing has no sentence').toBe(repair === 'none')
    if (sentence === undefined) return
    expect(sentence).toMatch(/^Repair .*\.$/)
    const advice = read(`docs/rules/${id}.md`).match(/^\*\*What to do\.\*\* (.*)$/m)![1]!
    expect(advice.toLowerCase()).toContain(sentence.toLowerCase())
  })
})

describe('docs/data/rejections.json', () => {
  it('has each anchor once', () => {
    const anchors = data.sections.flatMap(({ id, rows }) => rows.map(({ rule }) => anchorOf(id, rule)))
    expect(anchors.filter((one, i) => anchors.indexOf(one) !== i)).toEqual([])
  })

  it('has a row for every rule, so that each page can show its evidence', () => {
    const named = new Set(data.sections.flatMap(({ rows }) => rows.map(({ rule }) => rule)))
    const without = rules.map(({ id }) => id as string).filter((id) => !named.has(id))
    expect(without).toEqual(['tool-call-message-copied'])
  })
})

describe('links', () => {
  const pages = [
    ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'llms.txt'],
    ...filesBelow('docs', /\.md$/),
    ...filesBelow('plugins', /\.md$/),
  ]
  it.each(pages)('%s', (page) => expect(linksOf(page).filter((link) => !resolves(page, link))).toEqual([]))

  it('comments name anchors of docs/rejections.md that exist', () => {
    const text = read('docs/rejections.md')
    const missing = ['contract', 'src', 'test', 'scripts'].flatMap((folder) =>
      filesBelow(folder, /\.ts$/).flatMap((path) =>
        [...read(path).matchAll(/docs\/rejections\.md#([\w-]+)/g)]
          .filter(([, anchor]) => !text.includes(`<a id="${anchor}">`))
          .map(([link]) => `${path}: ${link}`),
      ),
    )
    expect(missing).toEqual([])
  })
})

it('files and folders that ARCHITECTURE.md and CONTRIBUTING.md name exist', () => {
  const named = ['ARCHITECTURE.md', 'CONTRIBUTING.md'].flatMap((page) =>
    [...read(page).matchAll(/`((?:src|test|contract|docs|scripts|bench)(?:\/[\w.-]+)*)`/g)].map(([, path]) => path!),
  )
  expect(named.length).toBeGreaterThan(80)
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

it('comments cite only documents of this repository', () => {
  const cited = ['contract', 'src', 'test', 'scripts', 'bench'].flatMap((folder) =>
    filesBelow(folder, /\.ts$/)
      .filter((path) => path !== 'test/docs-generated.test.ts')
      .flatMap((path) =>
        read(path)
          .split('\n')
          .filter((line) => /^\s*(\/\*|\*|\/\/).*(§|\bcontracts\.md|\([A-I]\))/.test(line))
          .map((line) => `${path}: ${line.trim()}`),
      ),
  )
  expect(cited).toEqual([])
})

function filesBelow(folder: string, pattern: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && pattern.test(entry.name) && !/node_modules|docs[/\\]site/.test(entry.parentPath),
    )
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

function linksOf(page: string): string[] {
  const prose = read(page)
    .replace(/```[\s\S]*?```/g, '')
    .replace(/(`+)[^`][\s\S]*?\1/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link!)
    .filter((link) => !/^(https?|mailto):/.test(link))
}

function resolves(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : relative(root, join(root, dirname(page), path))
  if (!existsSync(join(root, target))) return false
  if (anchor === undefined || !target.endsWith('.md')) return true
  const text = read(target)
  return text.includes(`<a id="${anchor}">`) || headings(text).includes(anchor)
}

/** As GitHub makes them: lower case, punctuation removed, spaces as hyphens. */
function headings(text: string): string[] {
  return [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  )
}
