/**
 * A LangChain message may hold its calls up to three times: in `tool_calls`, in the provider's own shape, and as blocks
 * of the content. A change of a call is made in its copies, too.
 */
import { isObject, type JsonObject, orUndefined, own, withKey, wordOf } from '../../core/index.ts'

const BLOCKS: readonly string[] = ['tool_use', 'tool_call', 'tool-call']

/** The fields that have to change with `tool_calls`; empty if the calls have not changed. */
export function syncCopies(now: JsonObject, was: JsonObject): JsonObject {
  if (now['tool_calls'] === was['tool_calls'] || !Array.isArray(was['tool_calls'])) return {}
  const outcome = align(was['tool_calls'], Array.isArray(now['tool_calls']) ? now['tool_calls'] : [])
  const fields: Record<string, unknown> = {}
  const raw = own(now['additional_kwargs'], 'tool_calls')
  if (Array.isArray(raw)) {
    const calls = follow(raw, outcome, () => true, writeRaw)
    if (calls !== raw) {
      const kept = calls.length > 0 ? calls : undefined
      fields['additional_kwargs'] = withKey(now['additional_kwargs'] as object, 'tool_calls', kept)
    }
  }
  if (Array.isArray(now['content'])) {
    const content = follow(now['content'], outcome, (block) => BLOCKS.includes(wordOf(block['type'])), writeBlock)
    if (content !== now['content']) fields['content'] = content
  }
  return fields
}

/** Each call after the change, by its id; undefined if it was removed. Calls with one id are in order. */
type Outcome = ReadonlyMap<unknown, readonly (JsonObject | undefined)[]>

function align(was: readonly unknown[], now: readonly unknown[]): Outcome {
  const outcome = new Map<unknown, (JsonObject | undefined)[]>()
  let next = 0
  for (const call of was) {
    if (!isObject(call)) continue
    const stays = isSame(call, now[next])
    const list = outcome.get(call['id']) ?? []
    list.push(stays ? (now[next++] as JsonObject) : undefined)
    outcome.set(call['id'], list)
  }
  return outcome
}

/** A change of a call sets one field and keeps the references of the others. */
function isSame(was: JsonObject, now: unknown): boolean {
  if (was === now) return true
  if (!isObject(now)) return false
  return was['id'] === now['id'] || (was['args'] === now['args'] && was['name'] === now['name'])
}

function follow(
  copies: readonly unknown[],
  outcome: Outcome,
  isCall: (copy: JsonObject) => boolean,
  write: (copy: JsonObject, call: JsonObject) => JsonObject,
): readonly unknown[] {
  const seen = new Map<unknown, number>()
  const kept: unknown[] = []
  let changed = false
  for (const copy of copies) {
    const fates = isObject(copy) && isCall(copy) ? outcome.get(copy['id']) : undefined
    const nth = isObject(copy) && fates ? (seen.get(copy['id']) ?? 0) : 0
    if (!isObject(copy) || !fates || nth >= fates.length) {
      kept.push(copy)
      continue
    }
    seen.set(copy['id'], nth + 1)
    const call = fates[nth]
    const written = call && write(copy, call)
    if (written !== copy) changed = true
    if (written) kept.push(written)
  }
  return changed ? kept : copies
}

function writeRaw(copy: JsonObject, call: JsonObject): JsonObject {
  const inner = isObject(copy['function']) ? copy['function'] : {}
  const renamed = set(inner, 'name', call['name'])
  const args = textOfArguments(call['args'])
  const rewritten =
    args === undefined || sameArguments(inner['arguments'], args) ? renamed : set(renamed, 'arguments', args)
  const whole = set(copy, 'id', call['id'])
  return rewritten === inner ? whole : withKey(whole, 'function', rewritten)
}

function writeBlock(copy: JsonObject, call: JsonObject): JsonObject {
  const key = Object.hasOwn(copy, 'args') ? 'args' : 'input'
  const named = set(set(copy, 'id', call['id']), 'name', call['name'])
  const same = textOfArguments(copy[key]) === textOfArguments(call['args'])
  return same ? named : set(named, key, call['args'])
}

function set(target: JsonObject, key: string, value: unknown): JsonObject {
  return value === undefined || target[key] === value ? target : withKey(target, key, value)
}

function textOfArguments(args: unknown): string | undefined {
  if (typeof args === 'string') return args
  return orUndefined(() => JSON.stringify(args))
}

/** White space in the provider's text does not count as a difference. */
function sameArguments(text: unknown, args: string): boolean {
  if (text === args) return true
  return orUndefined(() => JSON.stringify(JSON.parse(wordOf(text))) === args) ?? false
}
