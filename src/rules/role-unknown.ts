import {
  type Bound,
  defineRule,
  type Explanation,
  type Fix,
  isObject,
  own,
  type Part,
  type Report,
  readMessage,
  type Transcript,
  tryJsonText,
  withKey,
  wordOf,
} from '../core/index.ts'
import { asUser } from './lib/as-user.ts'
import { moveText } from './lib/content.ts'

export interface RoleUnknown {
  /** Native roles that are accepted. */
  readonly roles?: readonly string[]
  /** A message without a role is rejected. */
  readonly required?: boolean
}

type Message = 'role' | 'none' | 'legacy'

const ROLES = ['user', 'assistant', 'model', 'tool']

export const roleUnknown = defineRule({
  id: 'role-unknown',
  phase: 'shape',
  repair: 'safe',
  messages: {
    role: 'Message {index} has the role "{role}", which {rejects}. {Repair} changes the role.',
    none: 'Message {index} has no role; {rejects} it. {Repair} adds one.',
    legacy:
      'Message {index} uses the legacy functions API (`function_call`), which {rejects}. {Repair} rewrites it as a tool call or result.',
  },
  check(t, { roles = ROLES, required }: Bound<RoleUnknown>, report: Report<Message>) {
    const takesLegacy = roles.includes('function') || !roles.includes('tool')
    const fromLegacy = takesLegacy ? undefined : t.dialect.fromLegacy
    for (let i = 0; i < t.history.length; i++) {
      const message = t.history[i]
      const role = isObject(message) ? message['role'] : undefined
      const value = fromLegacy?.(message) ?? message
      if (value !== message) {
        report('legacy', [i], {}, [{ do: 'replace-message', message: i, value }])
        continue
      }
      if (role === undefined || role === null ? required !== true : roles.includes(role as string)) continue
      if (!isObject(message) || t.dialect.isRoleless?.(message)) continue
      report(typeof role === 'string' ? 'role' : 'none', [i, 'role'], { role }, fixRole(t, i, wordOf(role), roles))
    }
  },
})

function fixRole(t: Transcript, i: number, role: string, roles: readonly string[]): Fix {
  const legal = legalRole(t, i, role, roles)
  if (revealsPairs(t, i, legal ?? 'user')) {
    const value = t.dialect.textMessage('user', `[${role}] ${tryJsonText(t.history[i]) ?? ''}`)
    return [{ do: 'replace-message', message: i, value }]
  }
  const text = textHere(t, i, legal === undefined ? `[${role}] ` : '')
  if (legal !== undefined) return [{ do: 'set', message: i, key: 'role', value: legal }, ...text]
  const lift = t.role(i) === 'system' ? liftLeading(t, i) : undefined
  if (lift) return lift
  const fix =
    text.length > 0 ? [{ do: 'set', message: i, key: 'role', value: 'user' } as const, ...text] : asUser(t, i, role)
  return [...fix, ...withoutCallKeys(t, i)]
}

/** Removes keys that name a call: they have no meaning in a message of the user. */
function withoutCallKeys(t: Transcript, message: number): Fix {
  const keys = (t.dialect.resultKeys ?? []).filter((key) => own(t.history[message], key) !== undefined)
  return keys.map((key) => ({ do: 'set', message, key, value: undefined }) as const)
}

/** Moves text from another dialect's key to the one that this dialect reads. */
function textHere(t: Transcript, i: number, mark: string): Fix {
  return (t.starts[i] === t.starts[i + 1] ? moveText(t, i, mark) : undefined) ?? []
}

/** The accepted role with the same meaning. */
function legalRole(t: Transcript, i: number, role: string, roles: readonly string[]): string | undefined {
  const parts = t.partsOf(i)
  const isCall = parts.some((part) => part.kind === 'call')
  // Results never belong to the assistant.
  if (parts.length > 0 && parts.every((part) => part.kind === 'result') && roles.includes('user')) return 'user'
  if (isCall || ['assistant', 'model', 'ai', 'bot'].includes(role))
    return roles.find((known) => known === 'assistant' || known === 'model')
  const read = t.role(i)
  if (read === 'system') return roles.find((known) => known === 'system' || known === 'developer')
  return read === 'user' || read === 'tool' || role === 'human' ? 'user' : undefined
}

/** With another role the message would be read as making calls or answering them. */
function revealsPairs(t: Transcript, i: number, role: string): boolean {
  const message = t.history[i]
  const read = isObject(message) ? readMessage(withKey(message, 'role', role), t.dialect).parts : []
  return read.filter(isHalf).length !== t.partsOf(i).filter(isHalf).length
}

function isHalf({ kind }: Part): boolean {
  return kind === 'call' || kind === 'result'
}

/** Moves leading system messages to the request's instructions. A later one would change every later request. */
function liftLeading(t: Transcript, i: number): Fix | undefined {
  if (!t.request || !t.dialect.withInstructions) return undefined
  const texts: string[] = []
  let end = 0
  for (; end < t.history.length && t.role(end) === 'system'; end++) {
    const parts = t.partsOf(end)
    if (parts.some((part) => part.kind !== 'text')) break
    const foreign = parts.length === 0 ? t.dialect.foreignText?.(t.history[end]) : undefined
    texts.push(...(foreign ? [foreign.text] : parts.map(({ body }) => wordOf(body))))
  }
  if (i >= end) return undefined
  const fix: Fix = Array.from({ length: end }, (_, message) => ({ do: 'replace-message', message, value: undefined }))
  const spoken = texts.filter((text) => text.trim() !== '')
  if (spoken.length === 0) return fix
  return [...fix, { do: 'set-request', ...t.dialect.withInstructions(t.request, spoken) }]
}

export const explanation: Explanation = {
  summary: 'Every message has a role that the provider supports.',
  why: 'A history made for another provider is rejected at the first unsupported role.',
  repair: 'Repair uses the role with the same meaning.',
}
