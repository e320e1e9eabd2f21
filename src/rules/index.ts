/** All rules. Their order is the order of findings at one place. */

import type { Explanation, Rule } from '../core/index.ts'
import { afterRejection } from './after-rejection/index.ts'
import { cacheControlOnEmptyText } from './cache-control-on-empty-text.ts'
import { cacheControlOnThinking } from './cache-control-on-thinking.ts'
import { cacheControlTooMany } from './cache-control-too-many.ts'
import { cacheControlTtlOrder } from './cache-control-ttl-order.ts'
import { contentEmpty } from './content-empty.ts'
import { contentMissing } from './content-missing.ts'
import { contentNull } from './content-null.ts'
import { contentPartDirection } from './content-part-direction.ts'
import { contentShape } from './content-shape.ts'
import { controlCharacter } from './control-character.ts'
import { documentNameDuplicate } from './document-name-duplicate.ts'
import { documentNameInvalid } from './document-name-invalid.ts'
import { documentWithoutText } from './document-without-text.ts'
import * as all from './explanations.ts'
import { firstNotUser } from './first-not-user.ts'
import { foreignMessage } from './foreign-message.ts'
import { imageTooLargeBytes } from './image-too-large-bytes.ts'
import { imageTooLargeDimension } from './image-too-large-dimension.ts'
import { imageTooMany } from './image-too-many.ts'
import { imageUnreadable } from './image-unreadable.ts'
import { itemIdDuplicate } from './item-id-duplicate.ts'
import { itemIdNotPersisted } from './item-id-not-persisted.ts'
import { itemIdOtherConnection } from './item-id-other-connection.ts'
import { itemIdPrefix } from './item-id-prefix.ts'
import { lastAssistantPrefill } from './last-assistant-prefill.ts'
import { loneSurrogate } from './lone-surrogate.ts'
import { messageNameInvalid } from './message-name-invalid.ts'
import { messagesEmpty } from './messages-empty.ts'
import { noUserMessage } from './no-user-message.ts'
import { reasoningContentForbidden } from './reasoning-content-forbidden.ts'
import { reasoningContentMissing } from './reasoning-content-missing.ts'
import { reasoningEncryptedContentInvalid } from './reasoning-encrypted-content-invalid.ts'
import { reasoningItemContentForbidden } from './reasoning-item-content-forbidden.ts'
import { reasoningItemOrphan } from './reasoning-item-orphan.ts'
import { reasoningSummaryMissing } from './reasoning-summary-missing.ts'
import { roleOrder } from './role-order.ts'
import { roleUnknown } from './role-unknown.ts'
import { serverToolResultOrphan } from './server-tool-result-orphan.ts'
import { systemMessagePosition } from './system-message-position.ts'
import { textAfterToolCall } from './text-after-tool-call.ts'
import { textBlank } from './text-blank.ts'
import { thinkingBlockMissingBeforeToolUse } from './thinking-block-missing-before-tool-use.ts'
import { thinkingBoundToOtherPrefix } from './thinking-bound-to-other-prefix.ts'
import { thinkingLast } from './thinking-last.ts'
import { thinkingSignatureInvalid } from './thinking-signature-invalid.ts'
import { thinkingSignatureMissing } from './thinking-signature-missing.ts'
import { thinkingTextMissing } from './thinking-text-missing.ts'
import { thoughtSignatureInvalid } from './thought-signature-invalid.ts'
import { thoughtSignatureMissing } from './thought-signature-missing.ts'
import { thoughtSignaturePosition } from './thought-signature-position.ts'
import { toolArgumentsNotJson } from './tool-arguments-not-json.ts'
import { toolArgumentsNotObject } from './tool-arguments-not-object.ts'
import { toolCallIdDuplicate } from './tool-call-id-duplicate.ts'
import { toolCallIdEmpty } from './tool-call-id-empty.ts'
import { toolCallIdFormat } from './tool-call-id-format.ts'
import { toolCallIdTooLong } from './tool-call-id-too-long.ts'
import { toolCallMessageCopied } from './tool-call-message-copied.ts'
import { toolCallMixedWithText } from './tool-call-mixed-with-text.ts'
import { toolCallNameInvalid } from './tool-call-name-invalid.ts'
import { toolCallRole } from './tool-call-role.ts'
import { toolCallTurnOrder } from './tool-call-turn-order.ts'
import { toolCallsEmptyArray } from './tool-calls-empty-array.ts'
import { toolDeclarationNameInvalid } from './tool-declaration-name-invalid.ts'
import { toolResultCountMismatch } from './tool-result-count-mismatch.ts'
import { toolResultDuplicate } from './tool-result-duplicate.ts'
import { toolResultErrorEmpty } from './tool-result-error-empty.ts'
import { toolResultItemId } from './tool-result-item-id.ts'
import { toolResultMissing } from './tool-result-missing.ts'
import { toolResultMixedWithOtherParts } from './tool-result-mixed-with-other-parts.ts'
import { toolResultMultimodalUnsupported } from './tool-result-multimodal-unsupported.ts'
import { toolResultNameMissing } from './tool-result-name-missing.ts'
import { toolResultNotAdjacent } from './tool-result-not-adjacent.ts'
import { toolResultNotObject } from './tool-result-not-object.ts'
import { toolResultOrphan } from './tool-result-orphan.ts'
import { toolResultShape } from './tool-result-shape.ts'
import { toolsTooMany } from './tools-too-many.ts'
import { toolsUndeclaredWithHistory } from './tools-undeclared-with-history.ts'
import { trailingWhitespace } from './trailing-whitespace.ts'
import { unknownField } from './unknown-field.ts'

export type { ConstraintFor, Constraints, RuleId } from './constraints.ts'

/** By the id of the rule. */
export const explanations: Readonly<Record<string, Explanation>> = all

/** If two fixes write the same thing the first rule wins: a repeated id is numbered before its letters are checked. */
export const rules = [
  foreignMessage,
  cacheControlOnEmptyText,
  cacheControlOnThinking,
  cacheControlTooMany,
  cacheControlTtlOrder,
  contentEmpty,
  contentMissing,
  contentNull,
  contentPartDirection,
  toolCallMessageCopied,
  contentShape,
  toolCallRole,
  toolResultShape,
  controlCharacter,
  documentNameInvalid,
  documentNameDuplicate,
  documentWithoutText,
  firstNotUser,
  imageTooLargeBytes,
  imageTooLargeDimension,
  imageTooMany,
  imageUnreadable,
  itemIdDuplicate,
  itemIdNotPersisted,
  itemIdOtherConnection,
  itemIdPrefix,
  lastAssistantPrefill,
  loneSurrogate,
  messageNameInvalid,
  messagesEmpty,
  noUserMessage,
  reasoningContentForbidden,
  reasoningContentMissing,
  reasoningEncryptedContentInvalid,
  reasoningItemContentForbidden,
  reasoningSummaryMissing,
  reasoningItemOrphan,
  roleOrder,
  roleUnknown,
  serverToolResultOrphan,
  systemMessagePosition,
  textBlank,
  thinkingBlockMissingBeforeToolUse,
  thinkingBoundToOtherPrefix,
  thinkingSignatureInvalid,
  thinkingSignatureMissing,
  thinkingTextMissing,
  thoughtSignatureInvalid,
  thoughtSignatureMissing,
  thoughtSignaturePosition,
  toolArgumentsNotJson,
  toolArgumentsNotObject,
  toolCallIdDuplicate,
  toolCallIdEmpty,
  toolCallIdFormat,
  toolCallIdTooLong,
  toolCallMixedWithText,
  toolCallNameInvalid,
  toolCallTurnOrder,
  toolCallsEmptyArray,
  toolDeclarationNameInvalid,
  toolResultCountMismatch,
  toolResultDuplicate,
  toolResultErrorEmpty,
  toolResultItemId,
  toolResultMissing,
  toolResultMixedWithOtherParts,
  toolResultMultimodalUnsupported,
  toolResultNotAdjacent,
  toolResultNotObject,
  toolResultOrphan,
  toolsTooMany,
  toolsUndeclaredWithHistory,
  trailingWhitespace,
  textAfterToolCall,
  thinkingLast,
  toolResultNameMissing,
  unknownField,
  ...afterRejection,
] as const satisfies readonly Rule[]
