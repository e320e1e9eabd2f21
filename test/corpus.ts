/**
 * Real conversations, where they are on this machine: `SUTURE_CORPUS`, or the folder beside the project.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { providers } from '../src/index.ts'
import { mains } from './dialect-table.ts'

export const corpus = process.env['SUTURE_CORPUS'] ?? join(process.cwd(), '../shared/corpus')
export const hasCorpus = existsSync(corpus)

export interface Row {
  readonly id: string
  readonly dialect: string
  readonly messages: unknown[]
  readonly host?: string
  readonly model?: string
  readonly class?: string
  readonly reported_error?: string
  readonly provider_error?: string
  readonly provider_status?: number
  readonly valid_in_this_dialect?: boolean
  readonly paired?: boolean
  readonly [key: string]: unknown
}

export function rowsOf(name: string): Row[] {
  if (!hasCorpus) return []
  const file = [join(corpus, `${name}.jsonl.gz`), join(corpus, `${name}.jsonl`)].find(existsSync)
  if (!file) return []
  const raw = readFileSync(file)
  return (file.endsWith('.gz') ? gunzipSync(raw) : raw)
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

export function dialectOf(row: Row): string {
  return row.dialect === 'anthropic' ? 'anthropic-messages' : row.dialect
}

/** Who served it, by the host that was asked; a relay we do not know counts as the dialect's main provider. */
export function providerOf(row: Row): string {
  const dialect = dialectOf(row)
  const serves = providers.filter((one) => one.serves.some((service) => service.dialect.id === dialect))
  const known = row.host ? serves.find((one) => one.hosts.some((host) => host.test(row.host!))) : undefined
  return known?.id ?? mains[dialect]!
}

/** The request around the list, as far as it was recorded. */
export function bodyOf(row: Row): Record<string, unknown> {
  const key = { 'openai-responses': 'input', gemini: 'contents' }[row.dialect] ?? 'messages'
  const body: Record<string, unknown> = { [key]: row.messages }
  for (const name of ['model', 'tools', 'system', 'thinking', 'previous_response_id', 'conversation']) {
    if (row[name] !== undefined) body[name] = row[name]
  }
  return body
}
