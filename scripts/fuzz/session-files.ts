/**
 * Damaged session files of every format: salvage, findings, plan. Nothing throws, every record that the
 * plan does not name keeps its bytes, no text disappears, a second repair changes nothing.
 */
import { isObject, readMessage } from '../../src/core/index.ts'
import { dialects } from '../../src/index.ts'
import {
  applyChanges,
  checkSessionFile,
  openSessionFile,
  planRepair,
  recognize,
  recordBytes,
  SalvageStream,
  salvage,
} from '../../src/session-files/index.ts'
import { fromUtf16 } from '../../src/session-files/salvage/utf16.ts'
import type { RepairPlan, SessionFile } from '../../src/session-files/types.ts'
import { mutated, pick } from './mutate.ts'
import { inputOf, type Sample, samplesWith } from './session-samples.ts'
import type { Input, Surface } from './surface.ts'

export function sessionFiles(folder: string | undefined): Surface {
  const samples = samplesWith(folder)
  return {
    name: 'session-files',
    make(random) {
      const { format, kind, text, path } = pick(samples, random)
      const about = { format, kind, path, lossy: random(4) === 0, step: 1 + random(64) }
      return { bytes: mutated(text, random), about }
    },
    check({ bytes, about }) {
      const input = inputOf(about['kind'] as Sample['kind'], bytes, about['path'] as string | undefined)
      if (!input) return undefined
      recognize(input)
      const file = openSessionFile(input, { format: String(about['format']) })
      checkSessionFile(file)
      return repaired(file, about) ?? (about['kind'] === 'bytes' ? inPieces(bytes, Number(about['step'])) : undefined)
    },
  }
}

function repaired(file: SessionFile, about: Input['about']): string | undefined {
  const plan = planRepair(file, { force: true, lossy: about['lossy'] === true })
  if (file.input.tables || file.input.siblings) return undefined
  if (plan.bytes === file.input.bytes) return undefined
  const after = openSessionFile({ ...file.input, bytes: plan.bytes }, { format: file.format })
  return (
    emptied(file, after, plan) ??
    again(after, about) ??
    untouched(file, plan) ??
    otherBytes(file, plan) ??
    (about['lossy'] === true ? undefined : lost(file, after))
  )
}

function emptied(file: SessionFile, after: SessionFile, { changes }: RepairPlan): string | undefined {
  const count = ({ conversations }: SessionFile) => conversations.reduce((all, one) => all + one.history.length, 0)
  return count(file) > 0 && count(after) === 0 && !changes.some(({ op }) => op === 'remove')
    ? 'the repair removes all messages'
    : undefined
}

function again(after: SessionFile, about: Input['about']): string | undefined {
  const next = planRepair(after, { force: true, lossy: about['lossy'] === true })
  return next.bytes === after.input.bytes
    ? undefined
    : `a second repair changes the file again: ${next.findings.map(({ rule }) => rule).join(', ')}`
}

function untouched(file: SessionFile, plan: RepairPlan): string | undefined {
  const changed = new Set(plan.changes.flatMap((one) => (one.op === 'insert' ? [] : [one.record])))
  const after = Buffer.from(plan.bytes)
  for (const record of file.records) {
    if (changed.has(record.index) || record.rewritten || record.start === record.end) continue
    if (!after.includes(Buffer.from(recordBytes(file, record))))
      return `record ${record.index} is not in the plan and not in the repaired file`
  }
  return undefined
}

function otherBytes(file: SessionFile, plan: RepairPlan): string | undefined {
  const written = applyChanges(file, plan.changes)
  return Buffer.from(written).equals(plan.bytes) ? undefined : 'the changes do not give the bytes of the plan'
}

/** A file that is read in pieces is read as it is in one. */
function inPieces(bytes: Buffer, step: number): string | undefined {
  if (bytes.length > 64_000 || fromUtf16(bytes)) return undefined
  const whole = salvage(bytes, () => ({ type: '', known: true })).records.length
  const stream = new SalvageStream()
  let records = 0
  const count = (items: ReturnType<SalvageStream['push']>) => {
    for (const { kind } of items) if (kind === 'record') records++
  }
  for (let at = 0; at < bytes.length; at += step) count(stream.push(bytes.subarray(at, at + step)))
  count(stream.end())
  return records === whole ? undefined : `${whole} records in one piece, ${records} in pieces of ${step} bytes`
}

/**
 * No text of a user and no result of a tool disappears from what the model sees. Compared are the texts inside of
 * results and prompts, however deep they are: a repair may write them as JSON, as a note or as a part of their own.
 */
function lost(before: SessionFile, after: SessionFile): string | undefined {
  const seen = textsOf(after.conversations.map(({ history }) => history)).join('\n')
  const text = before.conversations.flatMap(keptTexts).find((one) => !seen.includes(one))
  return text === undefined ? undefined : `the repair removes a text that the model saw: "${text.slice(0, 60)}"`
}

function keptTexts({ history, dialect: id }: SessionFile['conversations'][number]): readonly string[] {
  const dialect = dialects.find((one) => one.id === id)
  if (!dialect) return []
  return history.flatMap((message, i) => {
    const { role, parts } = readMessage(message, dialect, i)
    const kept = parts.filter(({ kind }) => kind === 'result' || (kind === 'text' && role === 'user'))
    return textsOf(kept.map(({ body }) => body))
  })
}

/** Names, ids and marks, which a repair may change, and fields of the agent's own. */
const NO_TEXTS = new Set(['id', 'type', 'role', 'name', 'status', 'tool_use_id', 'tool_call_id', 'call_id'])

/** Half a surrogate pair is replaced, and a text may be in quotes in another one: without escapes they are alike. */
function textsOf(root: unknown): readonly string[] {
  const texts: string[] = []
  const stack = [root]
  while (stack.length > 0) {
    const value = stack.pop()
    if (typeof value === 'string' && value.trim() !== '')
      texts.push(JSON.stringify(value.toWellFormed()).slice(1, -1).replaceAll('\\', ''))
    else if (Array.isArray(value)) for (const one of value) stack.push(one)
    else if (isObject(value)) for (const key of Object.keys(value)) if (!NO_TEXTS.has(key)) stack.push(value[key])
  }
  return texts
}
