/**
 * Batch files: requests (OpenAI, Anthropic, Gemini, Bedrock) with the body one level deeper, and the outcomes that the
 * provider writes for them. An outcome has a reply or a rejection, and no history.
 */

import { isObject, own, type Path } from '../../core/index.ts'
import type { RecordFault } from '../dataset.ts'
import { numberIn, objectIn, textIn } from '../json-values.ts'
import { errorIn } from '../shared/faults.ts'

const ENVELOPES = ['body', 'params', 'request', 'modelInput'] as const
const IDS = ['custom_id', 'recordId', 'key'] as const
const NONE: Path = []

/** Where the body of a request is: in an envelope if the record is one of a batch. */
export function bodyPath(record: unknown): Path {
  if (!isObject(record) || idOf(record) === undefined) return NONE
  const key = ENVELOPES.find((one) => isObject(record[one]))
  return key === undefined ? NONE : [key]
}

function idOf(record: unknown): string | undefined {
  return IDS.map((key) => textIn(record, key)).find((id) => id !== undefined)
}

export interface BatchOutcome {
  readonly type: 'reply' | 'rejected'
  /** Of the rejection: its status and type, and the provider's words. */
  readonly reason: string
}

/** What became of a request, if the record says that. */
export function batchOutcome(record: unknown): BatchOutcome | undefined {
  if (!isObject(record) || idOf(record) === undefined) return undefined
  const result = own(record, 'result')
  if (isObject(result)) return ofAnthropic(result)
  if (isObject(record['modelOutput'])) return { type: 'reply', reason: '' }
  const error = own(record, 'error')
  if (isObject(error)) return rejected(textIn(error, 'code') ?? '', error)
  const response = own(record, 'response')
  if (!isObject(response)) return undefined
  const status = numberIn(response, 'status_code') ?? 200
  return status < 400 ? { type: 'reply', reason: '' } : rejected(`${status}`, objectIn(response, 'body', 'error'))
}

function ofAnthropic(result: object): BatchOutcome | undefined {
  const type = textIn(result, 'type')
  if (type === 'succeeded') return { type: 'reply', reason: '' }
  if (type !== 'errored') return type === undefined ? undefined : rejected(type, {})
  const error = objectIn(result, 'error')
  return rejected(textIn(error, 'error', 'type') ?? type, objectIn(error, 'error'))
}

function rejected(word: string, error: object): BatchOutcome {
  const text = textIn(error, 'message')
  return { type: 'rejected', reason: `${word}${text === undefined ? '' : `: "${text}"`}` }
}

export function outcomeFaults(record: unknown): readonly RecordFault[] {
  const outcome = batchOutcome(record)
  if (outcome?.type !== 'rejected') return []
  const message = `The request "${idOf(record)}" of the batch has no reply (${outcome.reason}). Check the file of requests; \`suture explain\` explains the text.`
  return [errorIn({}, 'batch-request-rejected', message)]
}
