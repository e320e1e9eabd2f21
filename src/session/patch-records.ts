/**
 * Patch records: a core `Patch` over the line of messages, with earlier patches applied.
 * For reading, a patch becomes an overlay of positions, so that a snapshot holds no content.
 */
import { apply, diffMessages, type Edit, isObject, type Patch, sharedEnds } from '../core/index.ts'
import { type Item, type PatchBody, UNREADABLE } from './record.ts'
import type { Line, Overlay } from './state.ts'
import type { View } from './view.ts'

/** The patch over the line with the effect of this patch over the view. Its unchanged end stays unrepaired. */
export function patchOfLine({ history: sent, base }: View, patch: Patch): Patch {
  const after = apply(sent, patch)
  const known = new Map<unknown, number>()
  base.forEach(({ message }, i) => {
    if (isObject(message)) known.set(message, i)
  })
  let from = sent.length - sharedEnds(sent, after).end
  while (from < sent.length && !known.has(sent[from])) from++
  const cut = from < sent.length ? known.get(sent[from])! : base.length
  const was = base.map(({ message }) => message)
  return storedDiff(was, [...after.slice(0, after.length - (sent.length - from)), ...was.slice(cut)])
}

/** The patch between two lists of messages of a line. Unreadable records are `null` in what it removes. */
export function storedDiff(was: readonly unknown[], now: readonly unknown[]): Patch {
  return diffMessages(was, now).map((edit): Edit => {
    if (edit.op !== 'splice') return edit
    const remove = edit.remove.map((message) => (message === UNREADABLE ? null : message))
    return { ...edit, remove, insert: edit.insert.filter((message) => message !== UNREADABLE) }
  })
}

/** The messages that a patch record adds, in order. Undefined: the record cannot be read. */
export function insertedBy(body: Readonly<Record<string, unknown>> | undefined): readonly unknown[] | undefined {
  return isPatch(body) ? body.patch.flatMap(({ insert }) => insert) : undefined
}

/** What a patch record puts in place of the beginning of the line. Undefined: the record cannot be read. */
export function overlayOf(line: Line, seq: number, body: Readonly<Record<string, unknown>>): Overlay | undefined {
  const { by, why } = body as { by: string; why: string }
  const head = isPatch(body) ? replacedHead(line, seq, body.patch) : undefined
  return head && { seq, ...head, by, why }
}

type Splice = Extract<Edit, { op: 'splice' }>

function isPatch(body: unknown): body is Omit<PatchBody, 'patch'> & { readonly patch: readonly Splice[] } {
  const patch = isObject(body) ? body['patch'] : undefined
  const isSplice = (edit: unknown) =>
    isObject(edit) && edit['op'] === 'splice' && Array.isArray(edit['remove']) && Array.isArray(edit['insert'])
  return Array.isArray(patch) && patch.every((edit) => isSplice(edit) && (edit as Splice).path.length === 0)
}

const MOST_ARGUMENTS = 10_000

/** Applies the edits to positions. The end of the line that no edit reaches stays outside the overlay. */
function replacedHead(
  line: Line,
  seq: number,
  patch: readonly Splice[],
): Pick<Overlay, 'frozen' | 'items'> | undefined {
  let places = placesOf(line)
  let untouched = places.length
  let inserted = 0
  for (const { index, remove, insert } of patch) {
    if (index + remove.length > places.length) return undefined
    untouched = Math.min(untouched, places.length - index - remove.length)
    const added = insert.map((_, i): Item => [inserted + i, inserted + i + 1, seq])
    // A call takes some hundred thousand arguments at the most.
    if (added.length < MOST_ARGUMENTS) places.splice(index, remove.length, ...added)
    else places = [...places.slice(0, index), ...added, ...places.slice(index + remove.length)]
    inserted += insert.length
  }
  const tail = Math.min(untouched, line.count - (line.overlays.at(-1)?.frozen ?? 0))
  return { frozen: line.count - tail, items: joined(places.slice(0, places.length - tail)) }
}

/** Where each message of the line comes from, with the latest overlay applied. */
function placesOf(line: Line): Item[] {
  const top = line.overlays.at(-1)
  const places: Item[] = []
  for (const [from, to, patch] of top?.items ?? []) {
    for (let i = from; i < to; i++) places.push(patch === undefined ? [i, i + 1] : [i, i + 1, patch])
  }
  for (let i = top?.frozen ?? 0; i < line.count; i++) places.push([i, i + 1])
  return places
}

/** Neighbors as one item. */
function joined(places: readonly Item[]): readonly Item[] {
  const items: Item[] = []
  for (const item of places) {
    const last = items.at(-1)
    if (last && last[2] === item[2] && last[1] === item[0])
      items[items.length - 1] = item[2] === undefined ? [last[0], item[1]] : [last[0], item[1], item[2]]
    else items.push(item)
  }
  return items
}
