import { type Bound, defineRule, type Explanation, isObject, type JsonObject, own } from '../core/index.ts'

export const explanation: Explanation = {
  says: 'No field is sent that the provider is known to refuse.',
  why: 'Fields that only answers have, or that only others know, make the request invalid when they are sent back.',
  refusals: [
    /messages\.\w+\.content\.\w+\.[\w.]+\.(?!cache_control\b)\w+: Extra inputs are not permitted/i,
    /messages\.\w+\.(?!reasoning)\w+: Extra inputs are not permitted/i,
    /property '(?!(?:[^']*\.)?reasoning)[^']*' is unsupported/i,
    /"messages",\s*\d+,[^\]]*"(?!reasoning_content)\w+"\][^{}]*Extra inputs are not permitted/i,
    /Unknown parameter: '?(?:input|messages)\[\w+\]\./i,
    /Missing required parameter: '?tools\[\w+\]/i,
    /Unknown name \W*\w+\W* at \W*contents\[/i,
  ],
}

type Fields = Readonly<Record<string, readonly string[]>>

export interface UnknownField {
  /** By native part type, the fields that are rejected on it. `*` is any type. */
  readonly fields?: Fields
  /** By native role, the fields that are rejected on a message. `*` is any role. */
  readonly messages?: Fields
}

/** Only fields that are on record as rejected: a field that we do not know may be newer than we are. */
export const unknownField = defineRule({
  id: 'unknown-field',
  phase: 'shape',
  repair: 'lossy',
  messages: { field: 'The provider rejects the field {field} here.' },
  check(t, { fields, messages }: Bound<UnknownField>, report) {
    if (fields) {
      for (const part of t.parts) {
        if (!isObject(part.value)) continue
        eachRejected(part.value, fields, part.type, (field) =>
          report('field', part, { field }, [{ do: 'set-part', part, key: field, value: undefined }]),
        )
      }
    }
    if (!messages) return
    for (let i = 0; i < t.history.length; i++) {
      const message = t.history[i]
      if (!isObject(message) || t.dialect.isRoleless?.(message)) continue
      eachRejected(message, messages, own(message, 'role'), (field) =>
        report('field', [i, field], { field }, [{ do: 'set', message: i, key: field, value: undefined }]),
      )
    }
  },
})

function eachRejected(holder: JsonObject, table: Fields, of: unknown, visit: (field: string) => void): void {
  const lists = [typeof of === 'string' && Object.hasOwn(table, of) ? table[of]! : NONE, table['*'] ?? NONE]
  for (const list of lists) for (const field of list) if (holder[field] !== undefined) visit(field)
}

const NONE: readonly string[] = []
