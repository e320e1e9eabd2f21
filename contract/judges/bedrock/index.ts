/**
 * Bedrock Converse (docs/rejections.md#bedrock): all checks in order. Constraints of a model family are judged only if
 * the model is named.
 */

import { inOrder } from '../rejection.ts'
import { prefill, signatures, thinkingFirst, trailingWhitespace } from './claude.ts'
import { blockShape, namesAndIds, shape } from './schema.ts'
import {
  callers,
  callIdDuplicate,
  callInput,
  content,
  firstTurn,
  mixed,
  pairing,
  resultJson,
  roleOrder,
  toolConfig,
} from './turns.ts'

export const bedrockCheck = inOrder(
  shape,
  blockShape,
  namesAndIds,
  content,
  resultJson,
  callInput,
  firstTurn,
  roleOrder,
  toolConfig,
  mixed,
  callers,
  callIdDuplicate,
  pairing,
  signatures,
  thinkingFirst,
  prefill,
  trailingWhitespace,
)
