/**
 * Docs that run: every rule has its page, the repair of each example gives the one after it, and the index lists all of
 * them.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dialects } from '../src/dialects/index.ts'
import { detect, providers, rules } from '../src/index.ts'
import { parseHistory, printHistory } from '../src/testing/index.ts'
import { repair } from './untyped-api.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'docs/rules')
const pages = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md')

interface Block {
  readonly kind: 'history' | 'json'
  readonly provider: string
  readonly model?: string
  readonly rejected: boolean
  readonly text: string
}

describe('rule pages', () => {
  it('every rule has its page, and every page a rule or a reason', () => {
    const ids: readonly string[] = rules.map(({ id }) => id)
    expect(ids.filter((id) => !pages.includes(`${id}.md`))).toEqual([])
    expect(pages.map((name) => name.slice(0, -3)).filter((id) => !ids.includes(id))).toEqual([
      'thinking-model-mismatch',
    ])
  })

  it('the index lists all of them', () => {
    const index = readFileSync(join(folder, 'README.md'), 'utf8')
    for (const { id } of rules) expect(index).toContain(`(${id}.md)`)
  })

  it.each(pages.flatMap((page) => pairsIn(page)))('%s: %s', (page, _what, before, after) => {
    const dialect = dialectOf(before)
    const given = blockValue(before, dialect)
    const options = {
      provider: before.provider,
      dialect,
      ...(before.model ? { model: before.model } : {}),
      ...(before.rejected ? { rejectedBy: [page] } : {}),
    }
    const { value: history, findings } = repair(given, options)
    const wanted = blockValue(after, dialect)
    expect(findings.map(({ rule }) => rule)).toContain(page)
    if (before.kind === 'json') expect(history).toEqual(wanted)
    else expect(print(history, dialect)).toBe(print(wanted, dialect))
  })
})

describe('the guide to repair', () => {
  it('names every provider', () => {
    const guide = readFileSync(join(root, 'docs/guide/repair.md'), 'utf8')
    for (const { id } of providers) expect(guide).toContain(`\`${id}\``)
  })
})

/** Two examples of one page, joined by the line `becomes`. */
function pairsIn(page: string): [string, string, Block, Block][] {
  const text = readFileSync(join(folder, page), 'utf8')
  const found = [
    ...text.matchAll(
      /```(history|json) ([^\n]+)\n([\s\S]*?)```\s*\n+becomes\s*\n+```(?:history|json)([^\n]*)\n([\s\S]*?)```/g,
    ),
  ]
  return found.map(([, kind, info, before, , after], i) => {
    const [provider = '', model = '', mark = ''] = info!.trim().split(/\s+/)
    const rejected = mark === 'rejected' || model === 'rejected'
    const block = {
      kind: kind as Block['kind'],
      provider,
      rejected,
      ...(model && model !== 'rejected' && model !== '-' ? { model } : {}),
    }
    return [page.slice(0, -3), `example ${i + 1}`, { ...block, text: before! }, { ...block, text: after! }]
  })
}

function dialectOf(block: Block): string {
  const found = providers.find(({ id }) => id === block.provider)
  const native = block.kind === 'json' ? detect(JSON.parse(block.text)) : undefined
  const served = found?.serves.map((one) => one.dialect.id) ?? []
  return (native && served.includes(native) ? native : served[0]) ?? 'openai-chat'
}

function blockValue(block: Block, dialect: string): unknown {
  return block.kind === 'json' ? JSON.parse(block.text) : parseHistory(block.text, dialect)
}

function print(history: unknown, dialect: string): string {
  return printHistory(history as unknown[], dialects.find(({ id }) => id === dialect)!)
}
