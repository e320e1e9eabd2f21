/**
 * Reads docs/data/rejections.json: what providers reject, in their own words, with evidence. The only source of
 * docs/rejections.md and docs/errors.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Evidence } from '../../src/core/index.ts'

export interface Rejection {
  readonly rule: string
  /** As the provider writes them; `{i}`, `{id}` and the like are variable parts. Empty: the text was not seen. */
  readonly texts: readonly string[]
  /** Default: 400. */
  readonly status?: number
  readonly when: string
  readonly evidence: Evidence
  readonly links: readonly string[]
  readonly note?: string
}

export interface Section {
  readonly id: string
  readonly title: string
  readonly about: string
  readonly rows: readonly Rejection[]
}

interface Note {
  readonly id: string
  readonly text: string
}

export interface Rejections {
  readonly sections: readonly Section[]
  readonly size: readonly {
    readonly provider: string
    readonly text: string
    readonly status: string
    readonly links: readonly string[]
  }[]
  /** Texts of errors that are not about a history, by class. */
  readonly outside: Readonly<Record<string, readonly string[]>>
  readonly accepted: readonly Note[]
  readonly disputed: readonly Note[]
  readonly notSeen: readonly Note[]
}

export function readRejections(root: string): Rejections {
  return JSON.parse(readFileSync(join(root, 'docs/data/rejections.json'), 'utf8'))
}

export function anchorOf(section: string, rule: string): string {
  return `${section}-${rule}`
}

/** `documented` as it is, `many-reports` as `many reports`. */
export function evidenceText(evidence: Evidence): string {
  return evidence.replace('-', ' ')
}

/** Code that survives a Markdown table: a bar is escaped, and the fence is longer than any run of backticks inside. */
export function code(text: string): string {
  const fence = '`'.repeat(1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)))
  const pad = fence.length > 1 ? ' ' : ''
  return `${fence}${pad}${text.replaceAll('|', '\\|')}${pad}${fence}`
}
