/**
 * What Claude Code will not load from a session file, and the links that repair it. The leaf stays the leaf, no new
 * link crosses a sidechain or a compact boundary, and a link changes only if the path from the leaf gets longer.
 */
import { isObject, type JsonObject, own, withKey } from '../../core/index.ts'
import { fromJson, object } from '../json-values.ts'
import { errorIn, replaced, warningIn } from '../shared/faults.ts'
import { plainPartFaults } from '../shared/plain-parts.ts'
import type { FileFault, FileRecord, SessionFile } from '../types.ts'
import { Chain } from './chain.ts'
import { detailsOf } from './read.ts'
import { callsIn, isBoundary, type Link, linksOf, PARTS, resultsIn } from './records.ts'

export function check(file: SessionFile): readonly FileFault[] {
  const [first] = file.conversations
  const chain = (first && detailsOf(first)?.chain) ?? new Chain(linksOf(file.records))
  // Links come first: they decide which messages are sent.
  const links = chain.groups().flatMap((group) => chainFaults(chain, group))
  return [...links, ...file.records.flatMap(spreadMessage), ...plainPartFaults(file, PARTS)]
}

function chainFaults(chain: Chain, group: string): readonly FileFault[] {
  const leaf = chain.leaf(group)
  if (!leaf) return []
  const parents = new Map<string, string | null>()
  const faults: FileFault[] = []
  // Each link that is set right shows the next one; each record is linked at most once.
  for (let rounds = 0; rounds <= chain.links.length; rounds++) {
    const path = chain.path(leaf, parents)
    const fault = deadBranch(chain, path, parents) ?? brokenRoot(chain, path, parents)
    if (!fault) break
    faults.push(fault)
  }
  const forked = otherBranch(chain, leaf, chain.path(leaf, parents))
  return forked ? [...faults, forked] : faults
}

function relinked({ record }: Link, parent: string | null, why: string) {
  return [replaced(record, withKey(record.value as JsonObject, 'parentUuid', parent), why)]
}

/** The path ends at a parent that is not in the file, or in a circle. */
function brokenRoot(chain: Chain, path: readonly Link[], parents: Map<string, string | null>): FileFault | undefined {
  const root = path[0]
  if (!root || isBoundary(root)) return undefined
  const parent = parents.has(root.uuid) ? parents.get(root.uuid)! : root.parent
  if (parent === null) return undefined
  const circle = chain.byId.has(parent)
  const before = nearestBefore(chain, root, path)
  // The first record of a file that continues another one has a parent there.
  if (!before && !circle) return undefined
  parents.set(root.uuid, before?.uuid ?? null)
  const rule = circle ? 'parent-cycle' : 'dangling-parent'
  const cause = circle
    ? `The parents of record ${root.uuid} lead back to it`
    : `Parent ${parent} of record ${root.uuid} is not in the file`
  const to = before ? `to the record before it, in line ${before.record.line}` : 'to no parent'
  const message = `${cause}: Claude Code loads nothing that comes before it. The repair links it ${to}.`
  return errorIn(root.record, rule, message, relinked(root, before?.uuid ?? null, `${rule}: linked ${to}`))
}

/** The nearest earlier record of the same agent since the last compact boundary whose path does not lead here. */
function nearestBefore(chain: Chain, root: Link, path: readonly Link[]): Link | undefined {
  const on = new Set(path.map(({ uuid }) => uuid))
  const at = chain.links.indexOf(root)
  for (let i = at - 1; i >= 0; i--) {
    const link = chain.links[i]!
    if (link.group !== root.group) continue
    if (on.has(link.uuid)) return undefined
    if (chain.path(link).some(({ uuid }) => on.has(uuid))) return undefined
    return link
  }
  return undefined
}

/** A finished turn that lost its children to a retried API error. */
function deadBranch(chain: Chain, path: readonly Link[], parents: Map<string, string | null>): FileFault | undefined {
  if (!path.some(({ record }) => record.type === 'api_error')) return undefined
  const on = new Set(path.map(({ uuid }) => uuid))
  for (let i = 1; i < path.length; i++) {
    const next = path[i]!
    if (parents.has(next.uuid) || path[i - 1]!.record.type !== 'api_error' || next.record.type === 'api_error') continue
    if (!next.content || resultsIn(next.record.value).length > 0 || callsIn(next.record.value).length > 0) continue
    let from = i - 1
    while (from >= 0 && path[from]!.record.type === 'api_error') from--
    const start = path[from]
    const end = start && finishedBranch(chain, start, next, on)
    if (!end) continue
    parents.set(next.uuid, end.uuid)
    const message = `The turn that ends in line ${end.record.line} was finished after an API error that was retried, but line ${next.record.line} goes on from the error: the model will not see that turn. The repair links the line to the end of the turn.`
    const fix = relinked(next, end.uuid, 'dead-branch-after-api-error: linked to the end of the finished turn')
    return errorIn(next.record, 'dead-branch-after-api-error', message, fix)
  }
  return undefined
}

function finishedBranch(chain: Chain, start: Link, next: Link, on: ReadonlySet<string>): Link | undefined {
  const starts = chain
    .childrenOf(start.uuid)
    .filter((child) => child.group === next.group && !on.has(child.uuid) && child.record.type !== 'api_error')
  if (starts.length !== 1) return undefined
  const branch = chain.descendants(starts, on, next.group).toSorted((a, b) => a.record.index - b.record.index)
  const answered = branch.some(({ record }) => record.type === 'assistant')
  const prompts = branch.filter(({ record }) => record.type === 'user' && resultsIn(record.value).length === 0)
  const open = new Set(branch.flatMap(({ record }) => callsIn(record.value)))
  for (const { record } of branch) for (const id of resultsIn(record.value)) open.delete(id)
  const end = branch.findLast(({ content }) => content)
  if (!answered || prompts.length > 0 || open.size > 0 || !end || end.record.index > next.record.index) return undefined
  return end
}

/** Two branches that grew at the same time: two clients on one session, or a progress record with children. */
function otherBranch(chain: Chain, leaf: Link, path: readonly Link[]): FileFault | undefined {
  if (chain.isWhole(path, leaf.group)) return undefined
  const on = new Set(chain.withParallel(path).map(({ uuid }) => uuid))
  const rivals = new Map(path.map(({ uuid }, i) => [uuid, path[i + 1]]))
  const first = path[0]?.record.index ?? 0
  for (const link of chain.links) {
    if (link.group !== leaf.group || on.has(link.uuid) || link.record.index < first) continue
    if (link.parent === null || !on.has(link.parent)) continue
    const rival = rivalOf(link, rivals)
    const branch = rival ? chain.descendants([link], on).filter(({ content }) => content) : []
    const because = rival && takenOver(rival, link, branch)
    if (!because) continue
    const message = `${because}: ${branch.length} messages from line ${link.record.line} on are on another branch, which the model will not see. Only you can say which branch is the right one.`
    return warningIn(link.record, 'other-branch', message)
  }
  return undefined
}

/**
 * The record of the path that is a sibling of this branch. The parent of the branch may be a result beside the path.
 */
function rivalOf(link: Link, rivals: Map<string, Link | undefined>): Link | undefined {
  const passed: Link[] = []
  let at = link.above
  while (at && !rivals.has(at.uuid)) {
    passed.push(at)
    // Also ends a circle.
    rivals.set(at.uuid, undefined)
    at = at.above
  }
  const rival = at && rivals.get(at.uuid)
  for (const { uuid } of passed) rivals.set(uuid, rival)
  return rival
}

/** Undoing a prompt also makes a branch, but nothing is added to that branch later. */
function takenOver(rival: Link, start: Link, branch: readonly Link[]): string | undefined {
  const { line } = rival.record
  if (rival.record.type === 'progress' && branch.some(({ record }) => record.type === 'assistant'))
    return `A progress record in line ${line} took the chain over`
  const isLater = branch.some((one) => one.record.index > rival.record.index && isPrompt(one))
  return isLater
    ? `Two branches were written at the same time, from lines ${start.record.line} and ${line} on`
    : undefined
}

function isPrompt({ record, content }: Link): boolean {
  return (
    content && record.type === 'user' && resultsIn(record.value).length === 0 && own(record.value, 'isMeta') !== true
  )
}

/** A message that a streaming fallback wrote as an object of its characters. */
function spreadMessage(record: FileRecord): readonly FileFault[] {
  const message = object(record.value, 'message')
  const joined = message && spreadText(message)
  if (joined === undefined) return []
  const rebuilt = fromJson(joined)
  const cause = `The message in line ${record.line} is stored as single characters under numeric keys.`
  if (!isObject(rebuilt)) {
    const message = `${cause} They are no JSON when joined: only you can repair it.`
    return [errorIn(record, 'message-in-characters', message)]
  }
  const value = withKey(record.value as JsonObject, 'message', rebuilt)
  const fix = [replaced(record, value, 'message-in-characters: joined')]
  return [errorIn(record, 'message-in-characters', `${cause} The repair joins them again.`, fix)]
}

/** The text of an object like `{ "0": "{", "1": "\"", … }`. */
function spreadText(value: JsonObject): string | undefined {
  // Nearly all messages end here, before a list of keys is made.
  if (value['0'] === undefined || value['1'] === undefined) return undefined
  const keys = Object.keys(value).filter((key) => /^\d+$/.test(key))
  if (keys.length < 2) return undefined
  let text = ''
  for (let i = 0; i < keys.length; i++) {
    const char = value[String(i)]
    if (typeof char !== 'string' || char.length > 2) return undefined
    text += char
  }
  return text
}
