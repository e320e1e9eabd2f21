/**
 * What each wire format keeps and when it may be sent again: only to a provider and with settings that are known to
 * accept it.
 */

import { type JsonObject, own, type Part, type Service } from '../../core/index.ts'
import type { RuleId } from '../../rules/index.ts'

const REQUIRED: RuleId = 'reasoning-content-missing'

/** The request accepts reasoning blocks or items in its history. */
export function takesBlocks({ dialect, constraints }: Service, body: JsonObject): boolean {
  // Its models think by default (DeepSeek).
  const isDefault = constraints[REQUIRED] !== undefined
  switch (dialect.id) {
    case 'anthropic-messages':
      return isOn(body['thinking'], isDefault)
    case 'bedrock-converse':
      return isOn(own(body['additionalModelRequestFields'], 'thinking'), false)
    case 'openai-responses':
      // The provider stores the earlier turns itself.
      return (body['previous_response_id'] ?? body['conversation'] ?? undefined) === undefined
    default:
      return false
  }
}

function isOn(thinking: unknown, isDefault: boolean): boolean {
  const type = own(thinking, 'type')
  return typeof type === 'string' ? type !== 'disabled' : isDefault
}

/** A reasoning item without its encrypted content is only a reference to what the provider has stored. */
export function isResendable({ type, signature }: Part, body: JsonObject): boolean {
  return type !== 'reasoning' || signature !== undefined || body['store'] !== false
}

/** Keys of a chat message that this provider wants back. Others reject unknown fields. */
export function messageKeys({ dialect, constraints }: Service, provider: string): readonly string[] {
  if (dialect.id !== 'openai-chat') return []
  if (provider === 'openrouter') return ['reasoning_details']
  return constraints[REQUIRED] ? ['reasoning_content'] : []
}

/** Fields of a call that carry Gemini's signature through OpenAI's format. */
export function signedFields({ value }: Part): JsonObject | undefined {
  const extra = own(value, 'extra_content')
  const signature = own(own(extra, 'google'), 'thought_signature')
  return typeof signature === 'string' && signature !== '' ? { extra_content: extra } : undefined
}

export function fieldsOf(message: unknown, keys: readonly string[]): JsonObject | undefined {
  const found = keys.filter((key) => hasValue(own(message, key)))
  return found.length === 0 ? undefined : Object.fromEntries(found.map((key) => [key, own(message, key)]))
}

/** Clients that dropped reasoning send null or an empty text instead. */
export function hasValue(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
}
