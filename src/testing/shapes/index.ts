/**
 * Conversations in native formats, written by hand from the vendors' docs. Imports no dialect, so that tests of a
 * dialect do not use it on both sides.
 */
import { unknownDialect } from '../../core/options.ts'
import { aiSdkShape } from './ai-sdk.ts'
import { aiSdkUiShape } from './ai-sdk-ui.ts'
import { anthropicShape } from './anthropic.ts'
import { bedrockShape } from './bedrock.ts'
import { chatShape } from './chat.ts'
import { geminiShape } from './gemini.ts'
import { langchainShape } from './langchain.ts'
import type { Message } from './pieces.ts'
import { responsesShape } from './responses.ts'
import type { Shape } from './shape.ts'
import { Tape } from './tape.ts'

export const shapes = {
  'openai-chat': chatShape,
  'openai-responses': responsesShape,
  'anthropic-messages': anthropicShape,
  gemini: geminiShape,
  'bedrock-converse': bedrockShape,
  'ai-sdk': aiSdkShape,
  'ai-sdk-ui': aiSdkUiShape,
  langchain: langchainShape,
} as const satisfies Record<string, Shape>

/** The id of a dialect. */
export type DialectId = keyof typeof shapes

/** The ids of all dialects that the tests write. */
export const dialectIds = Object.keys(shapes) as readonly DialectId[]

export function shapeOf(dialectId: string): Shape {
  if (Object.hasOwn(shapes, dialectId)) return shapes[dialectId as DialectId]
  throw unknownDialect(dialectId, dialectIds)
}

/** The native messages in variants chosen by the tape. `wild`: also variants that providers reject. */
export function writeVariant(messages: readonly Message[], shape: Shape, tape: Tape, wild: boolean, form: number) {
  const native = messages.flatMap((message) => shape.write(message, tape, wild, form))
  return shape.join?.(native) ?? native
}

/** The native messages in the form that most clients send. */
export function writeHistory(messages: readonly Message[], dialectId: string): unknown[] {
  return writeVariant(messages, shapeOf(dialectId), new Tape([]), false, 0)
}
