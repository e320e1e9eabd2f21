/** Messages independent of a dialect. Ids, names and texts may have values that no provider accepts. */
export type Id = string | null | undefined | number

export type Piece =
  | { kind: 'text'; text: unknown }
  | { kind: 'think'; text: string; sign: string | undefined }
  | { kind: 'call'; id: Id; name: Id; args: string; server: boolean; sign: string | undefined }
  | { kind: 'result'; id: Id; name: Id; text: string; failed: boolean; media: boolean; server: boolean }
  | { kind: 'image' }
  | { kind: 'unknown'; value: unknown }

export interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool'
  pieces: Piece[]
}

/** What a dialect can express in a history that its first provider accepts without a finding. */
export interface Features {
  readonly system: boolean
  readonly think: boolean
  readonly server: boolean
  /** The first call of a round carries a signature. */
  readonly signedCalls: boolean
  /** Calls may have no ids. */
  readonly noIds: boolean
  /** The form of a genuine signature. */
  readonly sign: string
  /** A call may follow text in one message. */
  readonly textBesideCalls: boolean
  /** Prompts may be next to results. */
  readonly promptBesideResults: boolean
}
