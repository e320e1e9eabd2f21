/**
 * What is said of each rule, by its id: what must hold, why, and how providers word the rejection.
 * Apart from the rules, so that a bundle that only lints and repairs does not contain it (docs/decisions/0008).
 */
import type { Explanation } from '../core/index.ts'
import { explanation as cacheControlUnsupported } from './after-rejection/cache-control-unsupported.ts'
import { explanation as itemWithoutReasoning } from './after-rejection/item-without-reasoning.ts'
import { explanation as pdfTooManyPages } from './after-rejection/pdf-too-many-pages.ts'
import { explanation as previousResponseNotFound } from './after-rejection/previous-response-not-found.ts'
import { explanation as thinkingBlockModified } from './after-rejection/thinking-block-modified.ts'
import { explanation as thinkingChainBroken } from './after-rejection/thinking-chain-broken.ts'
import { explanation as cacheControlOnEmptyText } from './cache-control-on-empty-text.ts'
import { explanation as cacheControlOnThinking } from './cache-control-on-thinking.ts'
import { explanation as cacheControlTooMany } from './cache-control-too-many.ts'
import { explanation as cacheControlTtlOrder } from './cache-control-ttl-order.ts'
import { explanation as contentEmpty } from './content-empty.ts'
import { explanation as contentMissing } from './content-missing.ts'
import { explanation as contentNull } from './content-null.ts'
import { explanation as contentPartDirection } from './content-part-direction.ts'
import { explanation as contentShape } from './content-shape.ts'
import { explanation as controlCharacter } from './control-character.ts'
import { explanation as documentNameDuplicate } from './document-name-duplicate.ts'
import { explanation as documentWithoutText } from './document-without-text.ts'
import { explanation as firstNotUser } from './first-not-user.ts'
import { explanation as foreignMessage } from './foreign-message.ts'
import { explanation as imageTooLargeBytes } from './image-too-large-bytes.ts'
import { explanation as imageTooLargeDimension } from './image-too-large-dimension.ts'
import { explanation as imageTooMany } from './image-too-many.ts'
import { explanation as imageUnreadable } from './image-unreadable.ts'
import { explanation as itemIdDuplicate } from './item-id-duplicate.ts'
import { explanation as itemIdNotPersisted } from './item-id-not-persisted.ts'
import { explanation as itemIdOtherConnection } from './item-id-other-connection.ts'
import { explanation as itemIdPrefix } from './item-id-prefix.ts'
import { explanation as lastAssistantPrefill } from './last-assistant-prefill.ts'
import { explanation as loneSurrogate } from './lone-surrogate.ts'
import { explanation as messageNameInvalid } from './message-name-invalid.ts'
import { explanation as messagesEmpty } from './messages-empty.ts'
import { explanation as noUserMessage } from './no-user-message.ts'
import { explanation as reasoningContentForbidden } from './reasoning-content-forbidden.ts'
import { explanation as reasoningContentMissing } from './reasoning-content-missing.ts'
import { explanation as reasoningEncryptedContentInvalid } from './reasoning-encrypted-content-invalid.ts'
import { explanation as reasoningItemContentForbidden } from './reasoning-item-content-forbidden.ts'
import { explanation as reasoningItemOrphan } from './reasoning-item-orphan.ts'
import { explanation as reasoningSummaryMissing } from './reasoning-summary-missing.ts'
import { explanation as roleOrder } from './role-order.ts'
import { explanation as roleUnknown } from './role-unknown.ts'
import { explanation as serverToolResultOrphan } from './server-tool-result-orphan.ts'
import { explanation as systemMessagePosition } from './system-message-position.ts'
import { explanation as textAfterToolCall } from './text-after-tool-call.ts'
import { explanation as textBlank } from './text-blank.ts'
import { explanation as thinkingBlockMissingBeforeToolUse } from './thinking-block-missing-before-tool-use.ts'
import { explanation as thinkingBoundToOtherPrefix } from './thinking-bound-to-other-prefix.ts'
import { explanation as thinkingLast } from './thinking-last.ts'
import { explanation as thinkingSignatureInvalid } from './thinking-signature-invalid.ts'
import { explanation as thinkingSignatureMissing } from './thinking-signature-missing.ts'
import { explanation as thinkingTextMissing } from './thinking-text-missing.ts'
import { explanation as thoughtSignatureInvalid } from './thought-signature-invalid.ts'
import { explanation as thoughtSignatureMissing } from './thought-signature-missing.ts'
import { explanation as thoughtSignaturePosition } from './thought-signature-position.ts'
import { explanation as toolArgumentsNotJson } from './tool-arguments-not-json.ts'
import { explanation as toolArgumentsNotObject } from './tool-arguments-not-object.ts'
import { explanation as toolCallIdDuplicate } from './tool-call-id-duplicate.ts'
import { explanation as toolCallIdEmpty } from './tool-call-id-empty.ts'
import { explanation as toolCallIdFormat } from './tool-call-id-format.ts'
import { explanation as toolCallIdTooLong } from './tool-call-id-too-long.ts'
import { explanation as toolCallMessageCopied } from './tool-call-message-copied.ts'
import { explanation as toolCallMixedWithText } from './tool-call-mixed-with-text.ts'
import { explanation as toolCallNameInvalid } from './tool-call-name-invalid.ts'
import { explanation as toolCallRole } from './tool-call-role.ts'
import { explanation as toolCallTurnOrder } from './tool-call-turn-order.ts'
import { explanation as toolCallsEmptyArray } from './tool-calls-empty-array.ts'
import { explanation as toolDeclarationNameInvalid } from './tool-declaration-name-invalid.ts'
import { explanation as toolResultCountMismatch } from './tool-result-count-mismatch.ts'
import { explanation as toolResultDuplicate } from './tool-result-duplicate.ts'
import { explanation as toolResultErrorEmpty } from './tool-result-error-empty.ts'
import { explanation as toolResultItemId } from './tool-result-item-id.ts'
import { explanation as toolResultMissing } from './tool-result-missing.ts'
import { explanation as toolResultMixedWithOtherParts } from './tool-result-mixed-with-other-parts.ts'
import { explanation as toolResultMultimodalUnsupported } from './tool-result-multimodal-unsupported.ts'
import { explanation as toolResultNameMissing } from './tool-result-name-missing.ts'
import { explanation as toolResultNotAdjacent } from './tool-result-not-adjacent.ts'
import { explanation as toolResultNotObject } from './tool-result-not-object.ts'
import { explanation as toolResultOrphan } from './tool-result-orphan.ts'
import { explanation as toolResultShape } from './tool-result-shape.ts'
import { explanation as toolsTooMany } from './tools-too-many.ts'
import { explanation as toolsUndeclaredWithHistory } from './tools-undeclared-with-history.ts'
import { explanation as trailingWhitespace } from './trailing-whitespace.ts'
import { explanation as unknownField } from './unknown-field.ts'

export const explanations: Readonly<Record<string, Explanation>> = {
  'foreign-message': foreignMessage,
  'cache-control-on-empty-text': cacheControlOnEmptyText,
  'cache-control-on-thinking': cacheControlOnThinking,
  'cache-control-too-many': cacheControlTooMany,
  'cache-control-ttl-order': cacheControlTtlOrder,
  'content-empty': contentEmpty,
  'content-missing': contentMissing,
  'content-null': contentNull,
  'content-part-direction': contentPartDirection,
  'tool-call-message-copied': toolCallMessageCopied,
  'content-shape': contentShape,
  'tool-call-role': toolCallRole,
  'tool-result-shape': toolResultShape,
  'control-character': controlCharacter,
  'document-name-duplicate': documentNameDuplicate,
  'document-without-text': documentWithoutText,
  'first-not-user': firstNotUser,
  'image-too-large-bytes': imageTooLargeBytes,
  'image-too-large-dimension': imageTooLargeDimension,
  'image-too-many': imageTooMany,
  'image-unreadable': imageUnreadable,
  'item-id-duplicate': itemIdDuplicate,
  'item-id-not-persisted': itemIdNotPersisted,
  'item-id-other-connection': itemIdOtherConnection,
  'item-id-prefix': itemIdPrefix,
  'last-assistant-prefill': lastAssistantPrefill,
  'lone-surrogate': loneSurrogate,
  'message-name-invalid': messageNameInvalid,
  'messages-empty': messagesEmpty,
  'no-user-message': noUserMessage,
  'reasoning-content-forbidden': reasoningContentForbidden,
  'reasoning-content-missing': reasoningContentMissing,
  'reasoning-encrypted-content-invalid': reasoningEncryptedContentInvalid,
  'reasoning-item-content-forbidden': reasoningItemContentForbidden,
  'reasoning-summary-missing': reasoningSummaryMissing,
  'reasoning-item-orphan': reasoningItemOrphan,
  'role-order': roleOrder,
  'role-unknown': roleUnknown,
  'server-tool-result-orphan': serverToolResultOrphan,
  'system-message-position': systemMessagePosition,
  'text-blank': textBlank,
  'thinking-block-missing-before-tool-use': thinkingBlockMissingBeforeToolUse,
  'thinking-bound-to-other-prefix': thinkingBoundToOtherPrefix,
  'thinking-signature-invalid': thinkingSignatureInvalid,
  'thinking-signature-missing': thinkingSignatureMissing,
  'thinking-text-missing': thinkingTextMissing,
  'thought-signature-invalid': thoughtSignatureInvalid,
  'thought-signature-missing': thoughtSignatureMissing,
  'thought-signature-position': thoughtSignaturePosition,
  'tool-arguments-not-json': toolArgumentsNotJson,
  'tool-arguments-not-object': toolArgumentsNotObject,
  'tool-call-id-duplicate': toolCallIdDuplicate,
  'tool-call-id-empty': toolCallIdEmpty,
  'tool-call-id-format': toolCallIdFormat,
  'tool-call-id-too-long': toolCallIdTooLong,
  'tool-call-mixed-with-text': toolCallMixedWithText,
  'tool-call-name-invalid': toolCallNameInvalid,
  'tool-call-turn-order': toolCallTurnOrder,
  'tool-calls-empty-array': toolCallsEmptyArray,
  'tool-declaration-name-invalid': toolDeclarationNameInvalid,
  'tool-result-count-mismatch': toolResultCountMismatch,
  'tool-result-duplicate': toolResultDuplicate,
  'tool-result-error-empty': toolResultErrorEmpty,
  'tool-result-item-id': toolResultItemId,
  'tool-result-missing': toolResultMissing,
  'tool-result-mixed-with-other-parts': toolResultMixedWithOtherParts,
  'tool-result-multimodal-unsupported': toolResultMultimodalUnsupported,
  'tool-result-not-adjacent': toolResultNotAdjacent,
  'tool-result-not-object': toolResultNotObject,
  'tool-result-orphan': toolResultOrphan,
  'tools-too-many': toolsTooMany,
  'tools-undeclared-with-history': toolsUndeclaredWithHistory,
  'trailing-whitespace': trailingWhitespace,
  'text-after-tool-call': textAfterToolCall,
  'thinking-last': thinkingLast,
  'tool-result-name-missing': toolResultNameMissing,
  'unknown-field': unknownField,
  'cache-control-unsupported': cacheControlUnsupported,
  'item-without-reasoning': itemWithoutReasoning,
  'pdf-too-many-pages': pdfTooManyPages,
  'previous-response-not-found': previousResponseNotFound,
  'thinking-block-modified': thinkingBlockModified,
  'thinking-chain-broken': thinkingChainBroken,
}
