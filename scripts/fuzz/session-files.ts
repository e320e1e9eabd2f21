/**
 * Damaged session files of every format: salvage, findings, plan. Nothing throws, every record that the
 * plan does not name keeps its bytes, no text disappears, a second repair changes nothing.
 */
import { jsonText, readMessage } from '../../src/core/index.ts'
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

/** No text of a user and no result of a tool disappears from what the model sees. */
function lost(before: SessionFile, after: SessionFile): string | undefined {
  // Without escapes, since a text may be quoted in another one, and without brackets: a list in a list of blocks
  // becomes its elements.
  const plain = (value: unknown) => (jsonText(value) ?? '').replace(/[\\[\]]/g, '')
  const seen = plain(after.conversations.map((one) => [one.history, textsIn(one)]))
  const text = before.conversations.flatMap(textsIn).find((one) => !seen.includes(plain(one).slice(1, -1)))
  return text === undefined ? undefined : `the repair removes a text that the model saw: "${text.slice(0, 60)}"`
}

/** Half a surrogate pair is replaced. */
function isWellFormed(text: string): boolean {
  return text.toWellFormed() === text
}

function textsIn({ history, dialect: id }: SessionFile['conversations'][number]): readonly string[] {
  const dialect = dialects.find((one) => one.id === id)
  if (!dialect) return []
  return history.flatMap((message, i) => {
    const { role, parts } = readMessage(message, dialect, i)
    const texts = parts.map((part) => {
      if (part.kind === 'result') return dialect.content(part).text
      return part.kind === 'text' && role === 'user' ? part.body : ''
    })
    return texts.filter((text): text is string => typeof text === 'string' && text.trim() !== '' && isWellFormed(text))
  })
}
