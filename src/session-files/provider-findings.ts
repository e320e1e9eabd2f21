/**
 * What the provider would reject in a conversation of a file, and the repair of it, through the core.
 * What the agent itself repairs when it loads the file is only a warning.
 */

import { type Finding, isObject, lint, type Patch, repair, type Target } from '../core/index.ts'
import { type RuleId, rules } from '../rules/index.ts'
import { tokensAround } from '../strategies/planning-input.ts'
import { named, type RepairOptions, targetOf } from '../target.ts'
import { documentOf } from './elements.ts'
import { wordSet } from './json-values.ts'
import type { Conversation, FileFinding, PlanOptions, SessionFile } from './types.ts'
import { type ReadFrom, windowFindings } from './window-findings.ts'

const OPEN_CALL: RuleId = 'tool-result-missing'

/** A file ends where the last answer ended; the next request adds a prompt. */
const AT_REST: ReadonlySet<string> = new Set<RuleId>(['last-assistant-prefill', 'trailing-whitespace'])

export function providerFindings(file: SessionFile, title: string, options: PlanOptions): readonly FileFinding[] {
  return file.conversations.flatMap((conversation) =>
    conversationFindings(conversation, title, options, readFrom(file)).map((found) => ({
      ...found,
      ...(found.finding && place(file, conversation, found.finding)),
    })),
  )
}

function readFrom({ format, input, records }: SessionFile): ReadFrom {
  if (input.tables || input.siblings) return { records }
  const body = format === 'plain' ? documentOf(input, []) : undefined
  return { records, bytes: input.bytes.length, around: isObject(body) ? tokensAround(body) : 0 }
}

/** The same for one conversation, without the places of its records: a data set is checked line by line. */
export function conversationFindings(
  conversation: Conversation,
  title: string,
  options: PlanOptions,
  from: ReadFrom = {},
): readonly FileFinding[] {
  if (conversation.history.length === 0) return []
  const target = targetFor(conversation, options)
  const sizes = windowFindings(conversation, options.model ?? conversation.model, from)
  const found = lint(conversation.history, target)
  if (found.length === 0) return sizes
  const closed = closedByAgent(conversation, target, found)
  const excused = excusedByRequest(conversation, target, found)
  const findings = found
    .filter(({ rule }) => excused.get(rule) !== 'valid')
    .map((finding): FileFinding => {
      const common = { kind: 'provider', rule: finding.rule, conversation: conversation.id, finding } as const
      if (closed.has(finding.rule))
        return {
          ...common,
          severity: 'warning',
          message: `${finding.message} ${title} closes it when it loads the file.`,
        }
      const notKnown = excused.get(finding.rule)
      if (notKnown !== undefined) return { ...common, severity: 'warning', message: notKnown }
      return { ...common, severity: finding.severity, message: finding.message, repair: repairOf(finding) }
    })
  return [...sizes, ...findings]
}

/**
 * Rules that only the history breaks, not the request around it: `valid`, or the finding that names what is not known.
 * Earlier messages may be at the provider.
 */
function excusedByRequest(
  { request, history, dialect }: Conversation,
  target: Target,
  found: readonly Finding[],
): ReadonlyMap<string, string> {
  const { key } = target.service.dialect
  if (request === undefined || target.service.dialect.id !== dialect || found.length === 0) return new Map()
  const whole = lint({ ...request, [key]: history }, target)
  const errors = new Set(whole.filter(({ severity }) => severity === 'error').map(({ rule }) => rule))
  const excused = found.filter(({ rule, severity }) => severity === 'error' && !errors.has(rule))
  return new Map(
    excused.map(({ rule }) => [rule, whole.find((one) => one.rule === rule && one.notKnown)?.message ?? 'valid']),
  )
}

/** Rules that the agent's own closing of open calls satisfies. */
function closedByAgent(conversation: Conversation, target: Target, found: readonly Finding[]): ReadonlySet<string> {
  if (!conversation.agentClosesOpenCalls || !found.some(({ rule }) => rule === OPEN_CALL)) return new Set()
  const only = { ...target, rules: target.rules.filter(({ id }) => id === OPEN_CALL) }
  const sent = repair(conversation.history, only).value
  const left = new Set(lint(sent, target).map(({ rule }) => rule))
  return new Set(found.map(({ rule }) => rule).filter((rule) => !left.has(rule)))
}

/** The patch that makes a conversation acceptable, but for what loses something unless that is allowed. */
export function repairPatch(conversation: Conversation, own: readonly FileFinding[], options: PlanOptions): Patch {
  const left = new Set(own.filter((one) => one.repair === 'lossy' && !options.lossy).map(({ rule }) => rule))
  const target = targetFor(conversation, options)
  const excused = excusedByRequest(conversation, target, lint(conversation.history, target))
  const allowed = target.rules.filter(
    ({ id }) => !left.has(id) && !excused.has(id) && (!options.only || options.only.includes(id)),
  )
  return repair(conversation.history, { ...target, rules: allowed }).patch
}

/** The last one: lines of a data set mostly have the same. */
let last:
  | { readonly provider: string; readonly dialect: string; readonly model: string | undefined; readonly target: Target }
  | undefined

function targetFor(conversation: Conversation, options: PlanOptions): Target {
  const { history, dialect } = conversation
  const provider = options.provider ?? conversation.provider
  const model = options.model ?? conversation.model
  if (last?.provider === provider && last.dialect === dialect && last.model === model) return last.target
  const isAny = provider === 'strictest'
  const lintOptions = named<RepairOptions>({
    provider,
    ...(!isAny && { dialect }),
    ...(model !== undefined && { model }),
  })
  const found = targetOf(history, lintOptions)
  const target = { ...found, rules: withoutAtRest(found.rules) }
  // The strictest provider takes the dialect that the history itself is in.
  if (!isAny) last = { provider, dialect, model, target }
  return target
}

const filtered = new WeakMap<Target['rules'], Target['rules']>()

/** The same list for the same rules: what they are bound to is kept by list. */
function withoutAtRest(all: Target['rules']): Target['rules'] {
  let rest = filtered.get(all)
  if (!rest) {
    rest = all.filter(({ id }) => !AT_REST.has(id))
    filtered.set(all, rest)
  }
  return rest
}

function place(file: SessionFile, { sources }: Conversation, { at }: Finding) {
  const message = at.find((step) => typeof step === 'number')
  const record = message === undefined ? undefined : (sources[message]?.at(-1) ?? sources[message]?.[0])
  if (record === undefined) return {}
  return { record, line: file.records[record]?.line }
}

const repairOfRule = new Map(rules.map(({ id, repair: kind }) => [id as string, kind as string]))

function repairOf(finding: Finding): FileFinding['repair'] {
  if (finding.severity !== 'error' || repairOfRule.get(finding.rule) === 'none') return undefined
  const { fix } = finding
  if (!fix || fix.length === 0) return undefined
  return removesContent(fix) ? 'lossy' : 'safe'
}

/** Keys whose values a model does not read. */
const UNREAD = wordSet('id type role tool_use_id tool_call_id call_id status name cache_control')

/** Whether some text, media or reasoning that a patch takes out is nowhere in what it puts in. */
export function removesContent(patch: Patch): boolean {
  const removed: string[] = []
  const inserted: string[] = []
  for (const edit of patch) {
    if (edit.op === 'splice') {
      collect(edit.remove, removed)
      collect(edit.insert, inserted)
    } else if (!UNREAD.has(edit.key)) {
      collect(edit.was, removed)
      collect(edit.now, inserted)
    }
  }
  const all = inserted.join('\n')
  return removed.some(
    (text) => text.trim() !== '' && !all.includes(text) && !all.includes(JSON.stringify(text).slice(1, -1)),
  )
}

function collect(value: unknown, texts: string[]): void {
  const stack: unknown[] = [value]
  while (stack.length > 0) {
    const one = stack.pop()
    if (typeof one === 'string') texts.push(one)
    else if (Array.isArray(one)) for (const inner of one) stack.push(inner)
    else if (isObject(one)) for (const key of Object.keys(one)) if (!UNREAD.has(key)) stack.push(one[key])
  }
}
