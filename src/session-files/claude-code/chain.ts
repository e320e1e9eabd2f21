/**
 * Which records of a Claude Code file the next request will contain: the path from the leaf to its root or compact
 * boundary, and the lines of parallel calls beside it.
 */
import { groupBy } from '../shared/group-by.ts'
import { callsIn, isBoundary, type Link, messageId, resultsIn } from './records.ts'

interface ParallelIndex {
  readonly answers: ReadonlyMap<string, readonly Link[]>
  readonly results: ReadonlyMap<string, readonly { readonly link: Link; readonly call: string }[]>
}

export class Chain {
  readonly links: readonly Link[]
  readonly byId = new Map<string, Link>()
  /** Records that a later one with the same uuid replaces. */
  readonly superseded = new Set<number>()
  /** `continued[i]` is 1 if record i has a child of the same agent. */
  private readonly continued: Uint8Array
  private childLists: ReadonlyMap<string | null, readonly Link[]> | undefined

  /** `links`: in the order of the file. */
  constructor(links: readonly Link[]) {
    nameSidechains(links)
    this.continued = new Uint8Array((links.at(-1)?.record.index ?? -1) + 1)
    for (const link of links) {
      const older = this.byId.get(link.uuid)
      if (older) this.superseded.add(older.record.index)
      this.byId.set(link.uuid, link)
    }
    this.links = this.superseded.size === 0 ? links : links.filter(({ record }) => !this.superseded.has(record.index))
    this.connect()
  }

  /** Sets `above`. The parent is nearly always the record before, which needs no lookup. */
  private connect(): void {
    let before: Link | undefined
    for (const link of this.links) {
      const { parent } = link
      if (parent !== null) {
        link.above = before !== undefined && before.uuid === parent ? before : this.byId.get(parent)
        if (link.above?.group === link.group) this.continued[link.above.record.index] = 1
      }
      before = link
    }
  }

  /** The parent need not be in the file. The index is made on first use: few files need it. */
  childrenOf(uuid: string | null): readonly Link[] {
    this.childLists ??= groupBy(this.links, ({ parent }) => parent)
    return uuid === null ? [] : (this.childLists.get(uuid) ?? [])
  }

  /** These records and all that follow them, without those in `seen`. `group`: only those of this agent. */
  descendants(starts: readonly Link[], seen: ReadonlySet<string>, group?: string): readonly Link[] {
    const found: Link[] = []
    const known = new Set(seen)
    const stack = [...starts]
    while (stack.length > 0) {
      const link = stack.pop()!
      if (known.has(link.uuid)) continue
      known.add(link.uuid)
      found.push(link)
      for (const child of this.childrenOf(link.uuid))
        if (group === undefined || child.group === group) stack.push(child)
    }
    return found
  }

  /** Whether every record of this agent is on the path. */
  isWhole(path: readonly Link[], group: string): boolean {
    if (path.length > this.links.length) return false
    let count = 0
    for (const link of this.links) if (link.group === group) count++
    return count === path.length
  }

  /** The agents in the file, in order of appearance; the main one first. */
  groups(): readonly string[] {
    const found = new Set<string>()
    for (const { group } of this.links) found.add(group)
    return [...found].sort((a, b) => Number(b === 'main') - Number(a === 'main'))
  }

  /** The message that a resumed session continues: of the ends of all branches the latest in the file. */
  leaf(group: string): Link | undefined {
    let best: Link | undefined
    let plain: Link | undefined
    for (const link of this.links) {
      if (this.continued[link.record.index] === 1 || link.group !== group) continue
      const message = this.nearestMessage(link)
      if (!message) continue
      if (!plain || message.record.index > plain.record.index) plain = message
      if (!message.aside && (!best || message.record.index > best.record.index)) best = message
    }
    return best ?? plain
  }

  private nearestMessage(from: Link): Link | undefined {
    const seen = new Set<Link>()
    let link: Link | undefined = from
    while (link && !link.content && !seen.has(link)) {
      seen.add(link)
      link = link.above
    }
    return link?.content ? link : undefined
  }

  /** From the root to this record. Ends at a compact boundary, at a parent that is not in the file, or in a circle. */
  path(leaf: Link, parents: ReadonlyMap<string, string | null> = new Map()): readonly Link[] {
    const path: Link[] = []
    let link: Link | undefined = leaf
    while (link && path.length <= this.links.length) {
      path.push(link)
      if (isBoundary(link)) break
      const parent: string | null | undefined = parents.size === 0 ? undefined : parents.get(link.uuid)
      link = parent === undefined ? link.above : parent === null ? undefined : this.byId.get(parent)
    }
    // Longer than the file: a circle.
    return (path.length > this.links.length ? [...new Set(path)] : path).reverse()
  }

  /** The path, and beside it the other lines of its answers with the results of their calls. */
  withParallel(path: readonly Link[]): readonly Link[] {
    const group = path[0]?.group
    if (group === undefined || (path.every((link) => link.group === group) && this.isWhole(path, group))) return path
    const { answers, results } = this.parallelIndex()
    const on = new Set(path.map(({ uuid }) => uuid))
    const lastLines = new Map(path.map((link) => [messageId(link.record.value), link]))
    const out: Link[] = []
    for (const link of path) {
      out.push(link)
      const id = messageId(link.record.value)
      if (id === undefined || lastLines.get(id) !== link) continue
      const lines = answers.get(`${link.group} ${id}`) ?? []
      const beside = lines.filter((one) => !on.has(one.uuid))
      for (const one of beside) on.add(one.uuid)
      for (const one of beside) out.push(one)
      for (const call of lines.flatMap((one) => callsIn(one.record.value))) {
        const given = results.get(`${link.group} ${call}`) ?? []
        const [first] = given
        if (!first || given.some((one) => on.has(one.link.uuid))) continue
        on.add(first.link.uuid)
        out.push(first.link)
      }
    }
    return out
  }

  private index: ParallelIndex | undefined

  private parallelIndex(): ParallelIndex {
    if (this.index) return this.index
    const answers = this.links.filter(({ content, record }) => content && messageId(record.value) !== undefined)
    const results = this.links.flatMap((link) => resultsIn(link.record.value).map((call) => ({ link, call })))
    this.index = {
      answers: groupBy(answers, ({ group, record }) => `${group} ${messageId(record.value)}`),
      results: groupBy(results, ({ link, call }) => `${link.group} ${call}`),
    }
    return this.index
  }
}

/** Older files contain sub-agents without an id: each tree is one sub-agent. */
function nameSidechains(links: readonly Link[]): void {
  const loose = new Map(links.filter(({ group }) => group === 'sidechain').map((link) => [link.uuid, link]))
  if (loose.size === 0) return
  const roots = new Map<string, string>()
  for (const start of loose.values()) {
    const passed: string[] = []
    const seen = new Set<string>()
    let at: Link | undefined = start
    while (at && !roots.has(at.uuid) && !seen.has(at.uuid)) {
      passed.push(at.uuid)
      seen.add(at.uuid)
      at = at.parent === null ? undefined : loose.get(at.parent)
    }
    const root = (at && roots.get(at.uuid)) ?? passed.at(-1)!
    for (const uuid of passed) roots.set(uuid, root)
  }
  for (const link of links)
    if (link.group === 'sidechain') link.group = `sidechain-${roots.get(link.uuid)!.slice(0, 8)}`
}
