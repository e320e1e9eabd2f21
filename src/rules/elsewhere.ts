/**
 * What a message says where its provider does not look: a history of another shape keeps its words under another key.
 * Without them the message would say nothing and go, and the user's words with it.
 */
import { isObject, type MessageView, own, type Step, type Walk } from '../core/index.ts'
import { toText } from './arguments.ts'
import { contentKey } from './content.ts'
import { setKey } from './set-key.ts'

const KEYS = ['content', 'parts', 'text']

/** The words, and the key they stand under; undefined where the content is there, or nothing is. */
export function saidElsewhere({ message, parts }: MessageView, walk: Walk): { key: string; text: string } | undefined {
  const here = contentKey(walk)
  if (!isObject(message) || own(message, here) != null || parts.length > 0) return undefined
  for (const key of KEYS) {
    const text = key === here ? '' : textIn(message[key])
    if (text.trim() !== '') return { key, text }
  }
  return undefined
}

/** The words are said where they are read. Those of a role that has no place here are marked: they must not read as the user's. */
export function fromElsewhere(view: MessageView, walk: Walk): readonly Step[] {
  const said = saidElsewhere(view, walk)
  if (!said) return []
  const role = own(view.message, 'role')
  const mark = isStrange(role, walk) ? `[${String(role)}] ` : ''
  const key = contentKey(walk)
  return [
    setKey(view.index, said.key, undefined),
    setKey(view.index, key, own(walk.dialect.say('user', mark + said.text), key)),
  ]
}

/** Neither legal here nor another word for the user or the assistant. */
function isStrange(role: unknown, { plan }: Walk): boolean {
  if (typeof role !== 'string' || ['user', 'human', 'assistant', 'model', 'ai', 'bot'].includes(role)) return false
  const bounds = plan.bounds.get('role-unknown') ?? []
  return bounds.some(({ law }) => !((law['roles'] as readonly string[] | undefined) ?? []).includes(role))
}

function textIn(said: unknown): string {
  return Array.isArray(said) ? said.map(textOf).join('\n') : textOf(said)
}

function textOf(said: unknown): string {
  const text = typeof said === 'string' ? said : own(said, 'text')
  if (typeof text === 'string') return text
  return typeof said === 'object' && said !== null ? (toText(said) ?? '') : ''
}
