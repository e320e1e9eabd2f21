import {
  type Bound,
  defineRule,
  type Explanation,
  isObject,
  type JsonObject,
  type MessageView,
  own,
  type Part,
  type Step,
  speaksOf,
  type Walk,
  withKey,
} from '../core/index.ts'
import { toText } from './arguments.ts'
import { asUser } from './as-user.ts'
import { contentKey, isEmptyContent } from './content.ts'
import { calls as callsTools } from './counted.ts'
import { fromElsewhere } from './elsewhere.ts'
import { isBareId } from './items.ts'
import { legacyPairs } from './legacy.ts'
import { lifted } from './lift.ts'
import { shared } from './memory.ts'
import { setKey } from './set-key.ts'

export const explanation: Explanation = {
  says: 'Every message has a role its provider knows.',
  why: 'A history of another provider is refused at the first role that is not known.',
  refusals: [
    /Unexpected role \W?system\W?\. The Messages API/i,
    /messages\[\w+\]\.role: unknown variant/i,
    /messages\[\w+\]\.role'? does not support/i,
    /Please use a valid role/i,
    /messages\.\w+\.role: Input should be/i,
    /Supported values are:[^.]{0,200}'(?:user|assistant)'/i,
  ],
}

const USUAL = ['user', 'assistant', 'model', 'tool']

/**
 * Law: `roles` — native roles that are legal · `required` — true: a message without a role is refused ·
 * `lift` — where a leading system message belongs in the body: `anthropic` and `bedrock` (`system`) or `gemini` (`systemInstruction`), each in its own shape; absent, or without a body: it becomes the user's, marked.
 */
export const roleUnknown = defineRule({
  id: 'role-unknown',
  odd: true,
  repair: 'safe',
  quiet: (bound) => (bound.refused ? undefined : { role: (role) => rolesOf(bound).includes(role) }),
  messages: {
    role: 'The role "{role}" is not one this provider knows.',
    none: 'This message does not say whose it is.',
    calls: 'The role "{role}" of a message that calls is not one this provider knows.',
    legacy: 'The call is one of the first API, which this provider does not know.',
    mute: 'The call is one of the first API, which this provider does not know: the message would say nothing.',
  },
  checks: {
    message(view, bound, walk) {
      const role = own(view.message, 'role')
      const roles = rolesOf(bound)
      if (role === undefined || role === null ? bound.law['required'] !== true : roles.includes(role as string)) return
      if (!isObject(view.message) || (walk.dialect.items && isItem(view.message))) return
      // A legacy result is mended together with its call, when the pairs are known.
      if (role === 'function' && view.role === 'tool') return
      const item = walk.dialect.items === true && typeof own(view.message, 'type') === 'string'
      const id = typeof role === 'string' || item ? (callsTools(view.message) ? 'calls' : 'role') : 'none'
      if (!speaksOf(bound, id)) return
      walk.report(bound, id, [view.index, 'role'], { role }, [
        ...mendRole(view, String(role), roles, bound, walk),
        ...fromElsewhere(view, walk),
      ])
    },
    result(part, bound, walk) {
      const message = walk.history[part.message]
      const role = own(message, 'role')
      if (walk.dialect.items && isObject(message) && isItem(message)) return
      if (own(part.value, 'role') === 'function')
        shared(walk, 'legacy results', () => new Set<number>()).add(part.message)
      // Who is a tool to the dialect need not be one to the provider.
      else if (role === 'tool' && !rolesOf(bound).includes(role) && part === firstOf(part, walk))
        walk.report(bound, 'role', [part.message, 'role'], { role }, [setKey(part.message, 'role', 'user')])
    },
    end(walk, bound) {
      const roles = rolesOf(bound)
      if (roles.includes('function') || !roles.includes('tool')) return
      const answers = new Set(walk.memory.get('legacy results') as Set<number> | undefined)
      for (const { call, answer, steps } of legacyPairs(walk)) {
        if (answer) answers.delete(answer.message)
        const ids = [answer ? 'role' : 'legacy', isMute(call, walk) ? 'mute' : 'legacy']
        const id = ids.find((one) => speaksOf(bound, one))
        if (id) walk.report(bound, id, [(answer ?? call).message, 'role'], { role: 'function' }, steps)
      }
      for (const message of answers) {
        walk.report(bound, 'role', [message, 'role'], { role: 'function' }, [setKey(message, 'role', 'tool')])
      }
    },
  },
})

/** The first result of a message that this rule was shown. */
function firstOf(part: Part, walk: Walk): Part {
  const last = shared(walk, 'first result', () => ({ part }))
  if (last.part.message !== part.message) last.part = part
  return last.part
}

function isMute(call: Part, walk: Walk): boolean {
  return isEmptyContent(own(walk.history[call.message], contentKey(walk)))
}

/** A call, an output, a thought, a reference or something of a kind nobody knows: what it is its type says, not a role. */
function isItem(message: JsonObject): boolean {
  return (typeof message['type'] === 'string' && message['type'] !== 'message') || isBareId(message)
}

function rolesOf(bound: Bound): readonly string[] {
  return (bound.law['roles'] as readonly string[] | undefined) ?? USUAL
}

function mendRole(
  view: MessageView,
  role: string,
  roles: readonly string[],
  bound: Bound,
  walk: Walk,
): readonly Step[] {
  const native = legalFor(view, role, roles)
  if (reveals(view, native ?? 'user', walk)) return [quoted(view.index, role, walk)]
  if (native !== undefined) return [setKey(view.index, 'role', native)]
  const lift = view.role === 'system' && isLeading(view.index, walk) ? lifted(view, bound, walk) : undefined
  return lift ?? asUser(view, role)
}

/** Under another role the message would be read as making calls or answering them, which nobody has paired. */
function reveals({ message, index, parts }: MessageView, role: string, walk: Walk): boolean {
  const seen: Part[] = []
  if (isObject(message)) walk.dialect.read(withKey(message, 'role', role), index, seen)
  return seen.filter(isHalf).length !== parts.filter(isHalf).length
}

function isHalf({ kind }: Part): boolean {
  return kind === 'call' || kind === 'result'
}

function quoted(message: number, role: string, walk: Walk): Step {
  return { do: 'rewrite', message, with: (now) => walk.dialect.say('user', `[${role}] ${toText(now) ?? ''}`) }
}

/** The legal role that means the same. */
function legalFor(view: MessageView, role: string, roles: readonly string[]): string | undefined {
  const speaks = view.parts.some((part) => part.kind === 'call') || ['assistant', 'model', 'ai', 'bot'].includes(role)
  if (speaks) return roles.find((known) => known === 'assistant' || known === 'model')
  if (view.role === 'system') return roles.find((known) => known === 'system' || known === 'developer')
  if (view.role === 'user' || view.role === 'tool' || role === 'human') return 'user'
  return undefined
}

/** Asked in order: what stands right behind one at the head is at the head too. */
function isLeading(index: number, walk: Walk): boolean {
  if (index > 0 && walk.memory.get('head') !== index - 1) return false
  walk.memory.set('head', index)
  return true
}
