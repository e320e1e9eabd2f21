/**
 * Fixes of faults that nothing in a history shows: an id that the provider does not know, the pages of documents,
 * changed thinking. They are made only after a rejection that names them, by the guard or with `rejectedBy`.
 */
import { cacheControlUnsupported } from './cache-control-unsupported.ts'
import { documentUnreadable } from './document-unreadable.ts'
import { imageUnsupported } from './image-unsupported.ts'
import { itemWithoutReasoning } from './item-without-reasoning.ts'
import { pdfTooManyPages } from './pdf-too-many-pages.ts'
import { previousResponseNotFound } from './previous-response-not-found.ts'
import { thinkingBlockModified } from './thinking-block-modified.ts'
import { thinkingChainBroken } from './thinking-chain-broken.ts'

export const afterRejection = [
  cacheControlUnsupported,
  documentUnreadable,
  imageUnsupported,
  itemWithoutReasoning,
  pdfTooManyPages,
  previousResponseNotFound,
  thinkingBlockModified,
  thinkingChainBroken,
] as const
