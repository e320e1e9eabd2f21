/**
 * OpenAI Responses (docs/rejections.md#openai-responses): OpenAI, Azure, Copilot. Pairing is by `call_id`; place does
 * not matter.
 *
 * Not judged, because only the provider knows: whether an item once followed a reasoning item (item-without-reasoning),
 * and which responses are stored.
 */

import { inOrder } from '../rejection.ts'
import {
  azureEncryptedContent,
  encryptedContent,
  notPersisted,
  otherConnection,
  reasoningContent,
  reasoningOrphan,
  responsesPairing,
} from './order.ts'
import {
  callIds,
  callNames,
  itemIdDuplicate,
  itemIdPrefix,
  itemType,
  messageContent,
  messageRole,
  outputParts,
  outputs,
  reasoningSummary,
  responsesShape,
  unknownField,
} from './schema.ts'

const schema = inOrder(
  responsesShape,
  itemType,
  messageRole,
  messageContent,
  callIds,
  callNames,
  outputs,
  outputParts,
  unknownField,
  itemIdPrefix,
  reasoningContent,
  reasoningSummary,
)
const order = inOrder(itemIdDuplicate, notPersisted, reasoningOrphan, responsesPairing)

export const openaiResponsesCheck = inOrder(schema, encryptedContent, order)
export const azureResponsesCheck = inOrder(schema, azureEncryptedContent, order)
/** Copilot binds ids to a connection. */
export const copilotResponsesCheck = inOrder(openaiResponsesCheck, otherConnection)
/** Bedrock's Responses endpoint has encrypted content of its own (recorded); the rest is the same. */
export const bedrockResponsesCheck = inOrder(schema, order)
/** xAI: no rejection is known for any of these (docs/rejections.md#not-seen-no-report). */
export const xaiResponsesCheck = responsesShape
