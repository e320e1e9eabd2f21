import { type Bound, defineRule, type Explanation, type Fix, looseText, own, type Transcript } from '../core/index.ts'
import { textBlock } from './lib/text-block.ts'

type Fields = Readonly<Record<string, readonly string[]>>

const NO_FIELDS: Fields = {}

export interface UnknownField {
  /** By native part type, the fields that are rejected on it. `*` is any type. */
  readonly fields?: Fields
  /** By native role, the fields that are rejected on a message. `*` is any role. */
  readonly messages?: Fields
  /** The fields hold calls or content: reported, and removed only in strict mode or after a rejection. */
  readonly leave?: true
}

/** Checks only fields with a recorded rejection: an unlisted field may be newer than the list. */
export const unknownField = defineRule({
  id: 'unknown-field',
  phase: 'shape',
  repair: 'lossy',
  about: ({ fields = NO_FIELDS, messages = NO_FIELDS }: UnknownField) => ({
    keys: namesIn(fields),
    messageKeys: namesIn(messages),
  }),
  messages: { field: 'Message {index} has the field `{field}`, which {rejects}. {Repair} removes it.' },
  check(t, { fields = NO_FIELDS, messages = NO_FIELDS, leave, strict, rejected }: Bound<UnknownField>, report) {
    const keeps = leave === true && !strict && !rejected
    if (t.keys.mayHave(namesIn(fields))) {
      const onParts = namesIn(fields).filter((name) => t.keys.mayHave([name]))
      for (const part of t.parts) {
        for (const field of rejectedOn(part.value, part.type, fields, onParts)) {
          const stays = keeps && holds(part.value, field)
          report('field', part, { field }, stays ? [] : [{ do: 'set-part', part, key: field, value: undefined }])
        }
      }
    }
    if (!t.keys.mayHaveOnMessage(namesIn(messages))) return
    const onMessages = namesIn(messages).filter((name) => t.keys.mayHaveOnMessage([name]))
    for (let i = 0; i < t.history.length; i++) {
      const message = t.history[i]
      if (t.dialect.isRoleless?.(message)) continue
      for (const field of rejectedOn(message, own(message, 'role'), messages, onMessages))
        report('field', [i, field], { field }, withoutField(t, i, field, keeps))
    }
  },
})

/** Keys for the content of a message in some dialect: their value may be the only copy. */
const CONTENT_KEYS = ['content', 'text']

function withoutField(t: Transcript, message: number, field: string, keeps: boolean): Fix {
  const native = t.history[message]
  const remove = { do: 'set', message, key: field, value: undefined } as const
  if (!holds(native, field)) return [remove]
  const content = t.contents[message]
  // Without content of its own, another rule moves the text there.
  if (!CONTENT_KEYS.includes(field) || content === undefined) return keeps ? [] : [remove]
  const text = looseText(own(native, field))
  if (text.trim() === '' || t.partsOf(message).some(({ body }) => body === text)) return [remove]
  const blocks = Array.isArray(content) ? content : [typeof content === 'string' ? textBlock(t, content) : content]
  return [remove, { do: 'set', message, key: t.contentKey, value: [...blocks, textBlock(t, text)] }]
}

/** Rejected fields that the value has. `occurring`: rejected names that the history has. */
function rejectedOn(value: unknown, type: unknown, table: Fields, occurring: readonly string[]): readonly string[] {
  const fields = [
    ...(typeof type === 'string' && Object.hasOwn(table, type) ? table[type]! : []),
    ...(table['*'] ?? []),
  ]
  return fields.filter((field) => occurring.includes(field) && own(value, field) !== undefined)
}

const namesByTable = new WeakMap<Fields, readonly string[]>()

function namesIn(table: Fields): readonly string[] {
  const known = namesByTable.get(table)
  if (known) return known
  const names = [...new Set(Object.values(table).flat())]
  namesByTable.set(table, names)
  return names
}

/** Null, empty texts, empty lists and ids can be removed without loss. */
function holds(holder: unknown, field: string): boolean {
  if (/id$/i.test(field)) return false
  const value = own(holder, field)
  return value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
}

export const explanation: Explanation = {
  summary: 'No field is sent that the provider is known to reject.',
  why: 'Fields that only responses have, or that only other providers know, make the request invalid.',
  repair: 'Repair removes the field.',
}
