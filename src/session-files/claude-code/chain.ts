/**
 * Which records of a Claude Code file the next request will contain: the path from the leaf to its root or compact boundary, with the lines
 * of parallel calls that hang beside it.
 */
import { callsIn, isBoundary, type Link, messageId, resultsIn } from './records.ts'

export class Chain {
  readonly links: readonly Link[]
  readonly byId = new Map<string, Link>()
  /** Records that a later one with the same uuid replaces. */
  readonly superseded = new Set<number>()
  /** 1: a record of the same agent goes on from it. By the index of the record. */
  private readonly continued: Uint8Array
  private readonly childLists = new Map<string, Link[]>()

  /** Of the links in the order of the file. */
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

  /** Nearly always the parent is the record before: then nothing is looked up. */
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

  /** By the uuid of the parent, which need not be in the file. Few files ask. */
  get children(): ReadonlyMap<string, readonly Link[]> {
    if (this.childLists.size > 0) return this.childLists
    for (const link of this.links) {
      if (link.parent === null) continue
      const list = this.childLists.get(link.parent)
      if (list) list.push(link)
      else this.childLists.set(link.parent, [link])
    }
    return this.childLists
  }

  /** Whether every record of this agent is on the path: nothing hangs beside it. */
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

  /** The message that a resumed session goes on from: of all ends of branches the one that is latest in the file. */
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
    let link: Link | undefined = from
    const seen = new Set<string>()
    while (link && !seen.has(link.uuid)) {
      seen.add(link.uuid)
      if (link.content) return link
      link = link.above
    }
    return undefined
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
    return (path.length > this.links.length ? untilRepeat(path) : path).reverse()
  }

  /** The path with the other lines of each answer on it, and the results of their calls, where these hang beside it. */
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
        const answer = results.get(`${link.group} ${call}`)?.find((one) => !on.has(one.uuid))
        const answered = results.get(`${link.group} ${call}`)?.some((one) => on.has(one.uuid))
        if (!answer || answered) continue
        on.add(answer.uuid)
        out.push(answer)
      }
    }
    return out
  }

  private index: { answers: Map<string, Link[]>; results: Map<string, Link[]> } | undefined

  private parallelIndex() {
    if (this.index) return this.index
    const answers = new Map<string, Link[]>()
    const results = new Map<string, Link[]>()
    const add = (map: Map<string, Link[]>, key: string, link: Link) => {
      const list = map.get(key)
      if (list) list.push(link)
      else map.set(key, [link])
    }
    for (const link of this.links) {
      const { value } = link.record
      const id = messageId(value)
      if (id !== undefined && link.content) add(answers, `${link.group} ${id}`, link)
      for (const call of resultsIn(value)) add(results, `${link.group} ${call}`, link)
    }
    this.index = { answers, results }
    return this.index
  }
}

function untilRepeat(path: readonly Link[]): Link[] {
  const seen = new Set<Link>()
  for (const link of path) {
    if (seen.has(link)) break
    seen.add(link)
  }
  return [...seen]
}

/** Older files have sub-agents inside, without an id: each tree is one of them. */
function nameSidechains(links: readonly Link[]): void {
  const loose = new Map(links.filter(({ group }) => group === 'sidechain').map((link) => [link.uuid, link]))
  if (loose.size === 0) return
  const roots = new Map<string, string>()
  for (const start of loose.values()) {
    const way: string[] = []
    const seen = new Set<string>()
    let at: Link | undefined = start
    while (at && !roots.has(at.uuid) && !seen.has(at.uuid)) {
      way.push(at.uuid)
      seen.add(at.uuid)
      at = at.parent === null ? undefined : loose.get(at.parent)
    }
    const root = (at && roots.get(at.uuid)) ?? way.at(-1)!
    for (const uuid of way) roots.set(uuid, root)
  }
  for (const link of links)
    if (link.group === 'sidechain') link.group = `sidechain-${roots.get(link.uuid)!.slice(0, 8)}`
}
