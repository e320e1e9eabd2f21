/** Records of a Codex rollout: `{ timestamp, ordinal?, type, payload }`. */
import { isObject } from '../../core/index.ts'
import { object, text } from '../json-values.ts'

const TYPES = new Set([
  'session_meta',
  'response_item',
  'compacted',
  'turn_context',
  'world_state',
  'event_msg',
  'token_usage_record',
  'inter_agent_communication',
  'inter_agent_communication_metadata',
  'security_risk_score',
])

export function isEnvelope(value: unknown): boolean {
  return isObject(value) && typeof value['type'] === 'string' && 'payload' in value && 'timestamp' in value
}

export function classify(value: unknown): { readonly type: string; readonly known: boolean } {
  const type = text(value, 'type') ?? '(none)'
  const inner = text(object(value, 'payload'), 'type')
  const nested = (type === 'response_item' || type === 'event_msg') && inner !== undefined
  return { type: nested ? `${type}/${inner}` : type, known: TYPES.has(type) }
}

export function ordinalOf(value: unknown): number | undefined {
  const ordinal = isObject(value) ? value['ordinal'] : undefined
  return typeof ordinal === 'number' ? ordinal : undefined
}
