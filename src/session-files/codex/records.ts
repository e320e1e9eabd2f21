/** Records of a Codex rollout: `{ timestamp, ordinal?, type, payload }`. */
import { isObject } from '../../core/index.ts'
import { object, text, wordSet } from '../json-values.ts'
import { isKnownType } from '../unread-parts.ts'

const TYPES = wordSet(`
  session_meta response_item compacted turn_context world_state event_msg token_usage_record
  inter_agent_communication inter_agent_communication_metadata security_risk_score`)

export function isEnvelope(value: unknown): boolean {
  return isObject(value) && typeof value['type'] === 'string' && 'payload' in value && 'timestamp' in value
}

export function classify(value: unknown): { readonly type: string; readonly known: boolean } {
  const type = text(value, 'type') ?? '(none)'
  const inner = text(object(value, 'payload'), 'type')
  const nested = (type === 'response_item' || type === 'event_msg') && inner !== undefined
  const isItem = type === 'response_item' && inner !== undefined && inner !== 'other'
  return { type: nested ? `${type}/${inner}` : type, known: TYPES.has(type) && (!isItem || isKnownType(inner)) }
}

export function ordinalOf(value: unknown): number | undefined {
  const ordinal = isObject(value) ? value['ordinal'] : undefined
  return typeof ordinal === 'number' ? ordinal : undefined
}
