/**
 * Anthropic Messages (docs/rejections.md#anthropic), also Vertex, Copilot and Bedrock Invoke: all checks in order.
 *
 * Not judged, because only the provider knows: whether a signature verifies (an empty one aside), whether a thinking
 * block was changed or moved, and which conversation it is bound to.
 */

import { inOrder } from '../rejection.ts'
import { loneSurrogate } from '../surrogates.ts'
import { cacheControl } from './cache.ts'
import {
  contentEmpty,
  firstNotUser,
  prefill,
  roleOrder,
  systemPosition,
  textBlank,
  thinkingFirst,
  thinkingLast,
  trailingWhitespace,
} from './content.ts'
import { imageLimits } from './media.ts'
import { callIdDuplicate, pairing, serverResultOrphan, textAfterCall } from './pairing.ts'
import { betaField, blockFields, messagesShape, roleUnknown, unknownField } from './shape.ts'

const schema = inOrder(loneSurrogate, messagesShape, roleUnknown, betaField, blockFields, unknownField, imageLimits)

const order = inOrder(
  cacheControl,
  contentEmpty,
  textBlank,
  firstNotUser,
  systemPosition,
  callIdDuplicate,
  pairing,
  textAfterCall,
  serverResultOrphan,
  thinkingFirst,
  thinkingLast,
  prefill,
  trailingWhitespace,
)

export const anthropicCheck = inOrder(schema, order)

/** Bedrock Invoke: the same, and roles alternate (docs/rejections.md#disputed-role-alternation). */
export const bedrockInvokeCheck = inOrder(schema, roleOrder, order)
