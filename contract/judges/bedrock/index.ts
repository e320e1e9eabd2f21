/** Bedrock Converse (docs/rejections.md#bedrock): all checks. Constraints of a model need its name. */

import { inOrder } from '../rejection.ts'
import { prefill, signatures, thinkingFirst, trailingWhitespace } from './claude.ts'
import { blockShape, documentNames, namesAndIds, shape } from './schema.ts'
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
  documentNames,
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
