/**
 * Rules of other fixers of Claude Code files, as their sources state them: parse, change and rewrite all lines.
 */
import { bytesOf, textOf } from '../../src/session-files/salvage/bytes.ts'
import type { Fixer } from './session-files.ts'

interface Line {
  uuid?: string
  parentUuid?: string | null
  type?: string
  message?: { content?: unknown }
}

type Block = { readonly type?: string; readonly id?: string; readonly tool_use_id?: string }

function read(bytes: Uint8Array): Line[] {
  return textOf(bytes)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Line)
}

function written(lines: readonly Line[]): Uint8Array {
  return bytesOf(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

/** As most of the scripts do: lines that are not JSON are dropped silently. */
function readable(bytes: Uint8Array): Line[] {
  return textOf(bytes)
    .split('\n')
    .flatMap((line) => {
      try {
        return line.trim() === '' ? [] : [JSON.parse(line) as Line]
      } catch {
        return []
      }
    })
}

function blocksOf({ message }: Line): readonly Block[] {
  return Array.isArray(message?.content) ? (message.content as Block[]) : []
}

export const fixers: readonly Fixer[] = [
  {
    name: 'claude-session-doctor (rule)',
    rule: 'an assistant turn is inserted wherever two user records follow each other',
    undo: 'copy of the file',
    fix(bytes) {
      const lines = read(bytes)
      return written(
        lines.flatMap((line, i) => {
          const last = lines[i - 1]
          if (line.type !== 'user' || last?.type !== 'user') return [line]
          const uuid = `inserted-${i}`
          const filler = { role: 'assistant', content: [{ type: 'text', text: '[continued]' }] }
          return [
            { type: 'assistant', uuid, parentUuid: last.uuid ?? null, message: filler },
            { ...line, parentUuid: uuid },
          ]
        }),
      )
    },
  },
  {
    name: 'fix-session (rule)',
    rule: 'a record whose parent is missing or is of another type is linked to the record before it',
    undo: 'copy of the file',
    fix(bytes) {
      const lines = readable(bytes)
      const known = new Set(
        lines.filter(({ type }) => /^(user|assistant|system|summary)$/.test(type ?? '')).map(({ uuid }) => uuid),
      )
      return written(
        lines.map((line, i) =>
          line.parentUuid && !known.has(line.parentUuid) ? { ...line, parentUuid: lines[i - 1]?.uuid ?? null } : line,
        ),
      )
    },
  },
  {
    name: 'delete what the error names (recipe)',
    rule: 'lines with a result that has no call, or that are no JSON, are deleted',
    undo: 'none',
    fix(bytes) {
      const lines = readable(bytes)
      const calls = new Set(lines.flatMap(blocksOf).flatMap(({ type, id }) => (type === 'tool_use' && id ? [id] : [])))
      return written(
        lines.filter((line) =>
          blocksOf(line).every(({ type, tool_use_id: id }) => type !== 'tool_result' || calls.has(id ?? '')),
        ),
      )
    },
  },
]
