/** The number of messages that a plan promises, and whether bytes have them. */
import { equal, SutureError } from '../core/index.ts'
import { checkBytes, checkPlan } from './arguments.ts'
import type { RepairPlan, RepairPromise } from './plan-types.ts'
import { recordBytes } from './record-draft.ts'
import { sameBytes, trimmed } from './salvage/bytes.ts'
import type { FileRecord, Quarantined, SessionFile } from './types.ts'

export function messagesIn({ conversations }: SessionFile): number {
  return conversations.reduce((sum, { history }) => sum + history.length, 0)
}

export function promiseOf(before: SessionFile, after: SessionFile, quarantined: readonly Quarantined[]): RepairPromise {
  return {
    messagesBefore: messagesIn(before),
    messagesAfter: messagesIn(after),
    quarantinedBytes: quarantined.reduce((sum, { bytes }) => sum + bytes.length, 0),
  }
}

/** A repair never removes every record, nor every message. */
export function isEmptied(before: SessionFile, after: SessionFile): boolean {
  return after.records.length === 0 || (messagesIn(after) === 0 && messagesIn(before) > 0)
}

/** An error text unless the file that was read back has the records that the plan composed, or their messages. */
export function brokenPromise(planned: SessionFile, read: SessionFile): string | undefined {
  if (hasSameRecords(planned, read) || hasSameMessages(planned, read)) return undefined
  return `The repaired file would hold ${messagesIn(read)} messages in ${read.records.length} records instead of the ${messagesIn(planned)} in ${planned.records.length} that were planned. Nothing is written; please report this file's format.`
}

export function hasSameRecords(planned: SessionFile, read: SessionFile): boolean {
  const isSame = (record: FileRecord, i: number) => {
    const bytes = recordBytes(planned, record)
    return sameBytes(bytes.subarray(...trimmed(bytes, 0, bytes.length)), recordBytes(read, read.records[i]!))
  }
  return (
    planned.records.length === read.records.length &&
    messagesIn(planned) === messagesIn(read) &&
    planned.records.every(isSame)
  )
}

/** One line that is left of a data set is read as a document. */
function hasSameMessages(planned: SessionFile, read: SessionFile): boolean {
  const histories = ({ conversations }: SessionFile) => conversations.map(({ history }) => history)
  return equal(histories(planned), histories(read))
}

/** For writers: call it with what was read back from disk, before it replaces the file. */
export function checkWritten(plan: RepairPlan, written: Uint8Array): void {
  checkPlan(plan)
  checkBytes(written, 'What was written')
  if (sameBytes(plan.bytes, written)) return
  throw new SutureError(
    'conflict',
    `What was written differs from the plan: ${written.length} bytes instead of ${plan.bytes.length}, of which ${plan.promise.messagesAfter} messages were promised. The file was not replaced.`,
  )
}
