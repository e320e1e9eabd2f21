/**
 * Corrupted conversations against every provider of their dialect: what the kit breaks, repair makes acceptable without
 * losing content. Used by the property test and by `npm run fidelity`.
 */

import { judge } from '../contract/judge.ts'
import { apply, type Dialect, dialects, invert, providers } from '../src/index.ts'
import { type Corruption, conversation, corruptions, Random } from '../src/testing/corruptions/index.ts'
import { lostContent } from './content-kept.ts'
import { dialectOf, rowsOf } from './corpus.ts'
import { endpoints } from './dialect-table.ts'
import { models } from './model-names.ts'
import { stableText } from './repair-promises.ts'
import { lint, type NamedOptions, repair } from './untyped-api.ts'

export type Fault =
  | 'rejected'
  | 'error-left'
  | 'lost'
  | 'not-idempotent'
  | 'not-reversible'
  | 'unstable'
  | 'input-changed'

export interface Trial {
  readonly corruption: Corruption
  readonly dialect: Dialect
  readonly provider: string
  readonly model: string | undefined
  readonly history: readonly unknown[]
  /** Seed that makes this very history again, and where its conversation came from. */
  readonly seed: number
  readonly from: string
}

export interface Failure {
  readonly fault: Fault
  readonly detail: string
}

/** All conversations of the corpus in this dialect that are short enough to be tried many times. */
const SOURCES = [
  'recorded-openai-chat',
  'recorded-anthropic',
  'recorded-openai-responses',
  'recorded-gemini',
  'recorded-bedrock-converse',
  'tau-openai-chat',
  'sweagent-openai-chat',
  'claude-code-anthropic',
  'codex-rollout-responses',
]
const MAX_CHARACTERS = 40_000

interface Source {
  readonly id: string
  readonly messages: readonly unknown[]
}

const known = new Map<string, readonly Source[]>()

function realConversations(dialect: string): readonly Source[] {
  if (known.size === 0) {
    for (const row of SOURCES.flatMap(rowsOf)) {
      if (row.messages.length < 3 || JSON.stringify(row.messages).length > MAX_CHARACTERS) continue
      const list = known.get(dialectOf(row)) ?? []
      known.set(dialectOf(row), [...list, { id: row.id, messages: row.messages }])
    }
    known.set('', [])
  }
  return known.get(dialect) ?? []
}

export interface Selection {
  readonly dialect?: string | undefined
  readonly provider?: string | undefined
  readonly corruption?: string | undefined
}

/**
 * One trial for a seed: which class, provider, model and conversation all follow from it. Undefined: nothing there to
 * break.
 */
export function trialOf(seed: number, selection: Selection = {}): Trial | undefined {
  const random = new Random(seed)
  const kit = corruptions.filter(({ id }) => (selection.corruption ?? id) === id)
  const corruption = kit[seed % kit.length]!
  const spoken = dialects.filter(({ id }) => (selection.dialect ?? id) === id)
  const dialect = random.pick(spoken)
  const serving = providers
    .filter(({ serves }) => serves.some((service) => service.dialect.id === dialect.id))
    .filter(({ id }) => (selection.provider ?? id) === id)
  if (serving.length === 0) return undefined
  const provider = random.pick(serving).id
  const model = random.pick([...(models[provider] ?? []), undefined])
  const real = realConversations(dialect.id)
  const source =
    real.length > 0 && random.chance(60)
      ? random.pick(real)
      : { id: 'random', messages: conversation(dialect.id, random) }
  const history = corruption.apply(source.messages, dialect, random)
  return history && { corruption, dialect, provider, model, history, seed, from: source.id }
}

/** The first promise that does not hold for this trial. */
export function failureOf({ history, dialect, provider, model }: Trial): Failure | undefined {
  const options: NamedOptions = { provider, dialect: dialect.id, ...(model ? { model } : {}) }
  const body = requestOf(history, dialect, model)
  const before = JSON.stringify(body)
  const { value, patch, findings } = repair(body, options)
  if (JSON.stringify(body) !== before) return { fault: 'input-changed', detail: '' }
  const left = lint(value, options).filter(({ severity }) => severity === 'error')
  if (left[0]) return { fault: 'error-left', detail: `${left[0].rule}: ${left[0].message}` }
  const verdict = verdictOn(value, dialect, provider, model)
  if (verdict) return { fault: 'rejected', detail: verdict }
  const list = value[dialect.key] as readonly unknown[]
  const lost = lostContent(history, list)
  if (lost !== undefined) return { fault: 'lost', detail: lost.slice(0, 120) }
  const again = repair(value, options)
  if (again.value !== value)
    return { fault: 'not-idempotent', detail: again.findings.map(({ rule }) => rule).join(', ') }
  const undone = apply(value, invert(JSON.parse(JSON.stringify(patch))))
  if (stableText(undone) !== stableText(body)) return { fault: 'not-reversible', detail: '' }
  // The first prompt of all takes the place of the one that was put in for it, at the very head.
  if (findings.some(({ rule }) => rule === 'no-user-message')) return undefined
  return unstable(history, list, dialect, options)
}

/** The request around a list, as a client would send it. */
function requestOf(list: readonly unknown[], { id, key }: Dialect, model: string | undefined): Record<string, unknown> {
  const declared = id === 'bedrock-converse' ? { toolConfig: { tools: [] } } : {}
  return { ...(model ? { model } : {}), [key]: list, ...declared }
}

function verdictOn(body: unknown, { id }: Dialect, provider: string, model: string | undefined): string | undefined {
  const endpoint = endpoints[id]
  if (!endpoint) return undefined
  const verdict = judge({ provider, endpoint, body, ...(model ? { model } : {}) })
  return verdict.accepted ? undefined : `${verdict.rule}: ${verdict.message}`
}

/** What was repaired before an append is the same after it, up to the last answer. */
function unstable(
  history: readonly unknown[],
  value: readonly unknown[],
  dialect: Dialect,
  options: NamedOptions,
): Failure | undefined {
  const appended = [...history, dialect.textMessage('user', 'And now, what comes next?')]
  const next = repair(requestOf(appended, dialect, options.model), options).value[dialect.key] as readonly unknown[]
  let settled = value.length - 1
  while (settled > 0 && dialect.read(value[settled], settled, []) !== 'assistant') settled--
  for (let i = 0; i < settled; i++)
    if (JSON.stringify(value[i]) !== JSON.stringify(next[i]))
      return { fault: 'unstable', detail: `message ${i} of ${value.length}` }
  return undefined
}
