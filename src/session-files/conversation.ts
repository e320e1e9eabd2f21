/** Collects the messages of a conversation, their records, and the records that the next request leaves out. */
import type { Conversation, ExcludedBecause, FileRecord, Reach } from './types.ts'

export interface ConversationInfo
  extends Pick<Conversation, 'id' | 'dialect' | 'provider' | 'title' | 'model' | 'request'> {
  readonly agentClosesOpenCalls?: boolean
}

export class ConversationBuilder {
  readonly #history: unknown[] = []
  readonly #sources: (readonly number[])[] = []
  readonly #included = new Set<number>()
  readonly #excluded = new Map<number, ExcludedBecause>()

  get length(): number {
    return this.#history.length
  }

  /** Messages made from these records. Records without a message of their own still count as contained. */
  add(messages: readonly unknown[], records: readonly number[]): void {
    for (const message of messages) {
      this.#history.push(message)
      this.#sources.push(records)
    }
    for (const record of records) this.include(record)
  }

  include(record: number): void {
    this.#included.add(record)
    this.#excluded.delete(record)
  }

  /** A record with conversation content that the next request does not contain. */
  exclude(record: number, because: ExcludedBecause): void {
    if (!this.#included.has(record)) this.#excluded.set(record, because)
  }

  done(info: ConversationInfo): Conversation {
    return {
      ...info,
      agentClosesOpenCalls: info.agentClosesOpenCalls ?? false,
      history: this.#history,
      sources: this.#sources,
      reach: this.#reach(),
    }
  }

  #reach(): Reach {
    const excluded = [...this.#excluded].map(([record, because]) => ({ record, because }))
    // An older version of a record that is contained, and a record without conversation content, are no loss.
    const lost = excluded.filter(({ because }) => because !== 'superseded' && because !== 'not-conversation')
    return { included: this.#included.size, total: this.#included.size + lost.length, excluded }
  }
}

/** A conversation in which each record is one message. */
export function oneMessagePerRecord(records: readonly FileRecord[], info: ConversationInfo): Conversation {
  const builder = new ConversationBuilder()
  for (const { value, index } of records) builder.add([value], [index])
  return builder.done(info)
}

const ONE_RECORD: Reach = { included: 1, total: 1, excluded: [] }

/** A conversation that is one record of a data set. There may be millions: nothing is collected. */
export function oneRecord(
  messages: readonly unknown[],
  record: number,
  id: string,
  info: Omit<ConversationInfo, 'id'>,
): Conversation {
  const { dialect, provider, title, model, request, agentClosesOpenCalls = false } = info
  return {
    id,
    dialect,
    provider,
    title,
    model,
    request,
    agentClosesOpenCalls,
    history: messages,
    sources: new Array<readonly number[]>(messages.length).fill([record]),
    reach: ONE_RECORD,
  }
}
