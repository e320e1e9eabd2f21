/**
 * Real conversations, where they are on this machine: `SUTURE_CORPUS`, or the folder beside the project.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { DialectId } from './native.ts'

const folder = process.env['SUTURE_CORPUS'] ?? join(process.cwd(), '../shared/corpus')

const FILES: Readonly<Partial<Record<DialectId, readonly string[]>>> = {
  'openai-chat': ['tau-openai-chat.jsonl.gz', 'sweagent-openai-chat.jsonl', 'recorded-openai-chat.jsonl.gz'],
  'openai-responses': ['recorded-openai-responses.jsonl.gz', 'codex-rollout-responses.jsonl'],
  'anthropic-messages': ['claude-code-anthropic.jsonl.gz', 'recorded-anthropic.jsonl.gz'],
  gemini: ['recorded-gemini.jsonl.gz'],
  'bedrock-converse': ['recorded-bedrock-converse.jsonl.gz'],
}

/** All conversations of a dialect with 2 to 60 messages, parsed like a request; empty if there is no corpus. */
export function recorded(dialect: DialectId): unknown[][] {
  return (FILES[dialect] ?? [])
    .flatMap((file) => rowsOf(join(folder, file)))
    .filter((messages) => Array.isArray(messages) && messages.length >= 2 && messages.length <= 60)
}

function rowsOf(file: string): unknown[][] {
  if (!existsSync(file)) return []
  const raw = readFileSync(file)
  const text = (file.endsWith('.gz') ? gunzipSync(raw) : raw).toString().trim()
  return text.split('\n').map((line) => JSON.parse(line).messages as unknown[])
}
