/**
 * `suture repair --lost-found DIR`: writes records that the next request will not contain, one new file per session.
 */
import { writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { jsonText } from '../../core/index.ts'
import { formatById, recordBytes } from '../../session-files/index.ts'
import { makeFolder } from '../../session-files/node/regular-file.ts'
import type { ExcludedBecause, FileRecord, SessionFile } from '../../session-files/types.ts'
import { CommandError, type Context } from '../command.ts'
import { oneLine, plural } from '../terminal/index.ts'
import type { Planned } from './repair-plan.ts'

const LOST: ReadonlySet<ExcludedBecause> = new Set(['dangling-parent', 'dead-branch-after-api-error', 'other-branch'])

/** `isRepaired`: the repair is written, so records that it brings back are not lost. */
export function writeLostFound(planned: Planned, folder: string, isRepaired: boolean, context: Context): void {
  const { path } = planned
  const file = isRepaired ? repairedFile(planned) : planned.file
  const lost = lostRecords(file)
  if (lost.length === 0) {
    context.error(`${oneLine(path, 300)}: the model will see every turn; nothing to write to ${oneLine(folder, 200)}.`)
    return
  }
  const bytes = Buffer.concat(lost.flatMap((record) => [lineOf(file, record), Buffer.from('\n')]))
  const name = writtenAs(resolve(context.host.cwd, folder), nameOf(path), bytes)
  context.error(`Wrote ${plural(lost.length, 'record')} that the model will not see to ${oneLine(name, 500)}.`)
}

function repairedFile({ file, plan }: Planned): SessionFile {
  if (plan.bytes === file.input.bytes) return file
  return formatById(file.format).read({ ...file.input, bytes: plan.bytes })
}

/** Of all conversations in the file, also of sub-agents. A record that another conversation contains is not lost. */
function lostRecords({ conversations, records }: SessionFile): readonly FileRecord[] {
  const contained = new Set(conversations.flatMap(({ sources }) => sources.flat()))
  const lost = new Set<number>()
  for (const { reach } of conversations)
    for (const { record, because } of reach.excluded) if (LOST.has(because) && !contained.has(record)) lost.add(record)
  return records.filter(({ index }) => lost.has(index))
}

/** The record's bytes; an element of a document or a row of a database becomes one line of JSON. */
function lineOf(file: SessionFile, record: FileRecord): Uint8Array {
  const bytes = file.input.tables === undefined ? recordBytes(file, record) : undefined
  return bytes && !bytes.includes(10) ? bytes : Buffer.from(jsonText(record.value) ?? 'null')
}

/** A name that any terminal can print. */
function nameOf(path: string): string {
  const stem = basename(path).replace(/\.jsonl?(\.\w+)?$/i, '')
  return stem.replace(/\p{C}/gu, '_')
}

const MOST_NAMES = 10_000

/** `NAME.lost.jsonl`, or with a number if there is one: two sessions may have the same name. */
function writtenAs(folder: string, name: string, bytes: Uint8Array): string {
  try {
    makeFolder(folder)
    for (let i = 1; i <= MOST_NAMES; i++) {
      const path = join(folder, `${name}.lost${i === 1 ? '' : `-${i}`}.jsonl`)
      if (isNew(path, bytes)) return path
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CommandError(
      `The folder "${folder}" of --lost-found cannot be written (${code}). Nothing was changed. Name another folder.`,
    )
  }
  throw new CommandError(`"${folder}" already has ${MOST_NAMES} files of that name. Name another folder.`)
}

function isNew(path: string, bytes: Uint8Array): boolean {
  try {
    writeFileSync(path, bytes, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}
