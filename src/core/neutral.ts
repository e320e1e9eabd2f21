/**
 * Pieces in no dialect: what is carried when a message of one dialect is rewritten for another.
 * Only foreign parts become pieces; native ones stay native. What has no piece (signatures, encrypted reasoning, tools
 * that a provider runs) cannot be carried.
 */
import type { JsonObject } from './json.ts'
import type { Part, Role } from './part.ts'

/** An image or a file: its data in base64, or where it is. */
export interface MediaPiece {
  readonly kind: 'media'
  readonly mediaType: string | undefined
  readonly data?: string | undefined
  readonly url?: string | undefined
  /** The link works only for the provider that stores the file. */
  readonly isPrivate?: boolean | undefined
}

/** Text without the form of a dialect. */
export interface TextPiece {
  readonly kind: 'text'
  readonly text: string
}

/** A tool call without the form of a dialect. */
export interface CallPiece {
  readonly kind: 'call'
  readonly id: string | undefined
  readonly name: string
  readonly arguments: JsonObject
}

/** A tool result without the form of a dialect. */
export interface ResultPiece {
  readonly kind: 'result'
  readonly id: string | undefined
  readonly name: string | undefined
  readonly text: string
  readonly media: readonly MediaPiece[]
  readonly failed: boolean
}

/** A part of the message that is rewritten, which stays as it is. */
export interface NativePiece {
  readonly kind: 'native'
  readonly part: Part
}

/** One part of a message without the form of a dialect. */
export type Piece = TextPiece | CallPiece | ResultPiece | MediaPiece | NativePiece

/** How a dialect is distinguished from others, and how it writes pieces. */
export interface NeutralForm {
  /** The message has a mark that no other dialect has. */
  ownsMessage(message: JsonObject): boolean
  /** The same for a part of a message. */
  ownsPart(part: JsonObject): boolean
  /** `hasForeignFields` is false for a history without any of these keys. Absent: always called. */
  readonly foreignKeys?: readonly string[]
  /**
   * Fields of other dialects that `read` passes over. Called for every message, so it must be cheap. Parts and roles
   * that the dialect does not know need no mention here.
   */
  hasForeignFields(message: JsonObject): boolean
  /** A native media part as a piece; undefined if it is neither data, a link nor text. */
  mediaOf(value: JsonObject): MediaPiece | TextPiece | undefined
  /** The words of a part that is neither text nor media; empty: it says nothing. Absent or undefined: not known. */
  wordsOf?(value: JsonObject): string | undefined
  /** What a message says beside its parts, and the keys there that cannot be carried. */
  beside?(message: JsonObject): { readonly text: string; readonly lost: readonly string[] }
  /** Whether a message of this role can hold this media. */
  takesMedia(media: MediaPiece, role: Role): boolean
  /** Native messages with these pieces, in order. `base`: the message that they belong to; its other fields stay. */
  compose(role: Role, pieces: readonly Piece[], base?: JsonObject): readonly unknown[]
  /** System instructions of a request, and the key they are under. */
  instructions?(request: JsonObject): { readonly key: string; readonly text: string } | undefined
}
