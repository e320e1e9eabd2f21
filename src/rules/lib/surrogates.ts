/** Finds and replaces half of a surrogate pair in a deep value. No recursion: content may be nested 100,000 deep. */
import { isHolder, type Path, put } from '../../core/index.ts'

/** More than any message has: a value that holds itself must not stop the walk from ending. */
const MAX_NODES = 1_000_000

interface Node {
  readonly value: object
  readonly parent: number
  readonly key: string | number
  broken: boolean
}

/** The place of the first fault; the root if it is very deep. */
export function faultIn(root: unknown): Path {
  const nodes = nodesOf(root)
  let node = nodes.find(({ value, broken }) => broken && isFaulty(value))
  const path: (string | number)[] = []
  while (node && node.parent >= 0) {
    path.push(node.key)
    node = nodes[node.parent]
  }
  return path.length > 60 ? [] : path.reverse()
}

/** The same value with U+FFFD for every half. Objects without one keep their reference. */
export function wellFormed(root: unknown): unknown {
  if (typeof root === 'string') return root.toWellFormed()
  const nodes = nodesOf(root)
  const copies = new Map<number, Map<string | number, unknown>>()
  let result = root
  // Children come before their parents.
  for (let i = nodes.length - 1; i >= 0; i--) {
    const { value, parent, key, broken } = nodes[i]!
    if (!broken) continue
    const copy = copyOf(value, copies.get(i))
    if (parent < 0) result = copy
    else copies.set(parent, (copies.get(parent) ?? new Map()).set(key, copy))
  }
  return result
}

function nodesOf(root: unknown): Node[] {
  const nodes: Node[] = []
  if (typeof root !== 'object' || root === null) return nodes
  nodes.push({ value: root, parent: -1, key: '', broken: false })
  for (let i = 0; i < nodes.length && i < MAX_NODES; i++) {
    const holder = nodes[i]!.value as Record<string, unknown>
    if (isFaulty(holder)) markUp(nodes, i)
    for (const key of Object.keys(holder)) {
      const value = holder[key]
      if (!isHolder(value)) continue
      nodes.push({ value, parent: i, key: Array.isArray(holder) ? Number(key) : key, broken: false })
    }
  }
  return nodes
}

function markUp(nodes: readonly Node[], from: number): void {
  for (let i = from; i >= 0 && !nodes[i]!.broken; i = nodes[i]!.parent) nodes[i]!.broken = true
}

/** A string or a key of this one level is broken. */
function isFaulty(holder: object): boolean {
  for (const [key, value] of Object.entries(holder)) {
    if (value === undefined) continue
    if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) return true
  }
  return false
}

function copyOf(holder: object, inner: ReadonlyMap<string | number, unknown> | undefined): object {
  if (Array.isArray(holder)) return holder.map((value, i) => textOf(inner?.get(i) ?? value))
  const copy = Object.create(Object.getPrototypeOf(holder)) as object
  for (const [key, value] of Object.entries(holder)) {
    let name = key.toWellFormed()
    // Two keys that differ only in the broken half both stay.
    while (name !== key && (Object.hasOwn(holder, name) || Object.hasOwn(copy, name))) name += '\ufffd'
    put(copy, name, textOf(inner?.get(key) ?? value))
  }
  return copy
}

function textOf(value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value
}
