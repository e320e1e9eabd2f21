/** Details of a conversation that was read, which writing it needs. */
import type { Conversation, FileRecord } from '../types.ts'
import { Attached } from './attached.ts'
import type { Origins } from './part-changes.ts'

export interface ReadDetails {
  /** The records of the conversation in order, with those between them that carry no message. */
  readonly path: readonly FileRecord[]
  readonly origins: Origins
}

const attached = new Attached<Conversation, ReadDetails>()

export function withDetails(conversation: Conversation, details: ReadDetails): Conversation {
  attached.set(conversation, details)
  return conversation
}

export function detailsOf(conversation: Conversation): ReadDetails | undefined {
  return attached.get(conversation)
}
