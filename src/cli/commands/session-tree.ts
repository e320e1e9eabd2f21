/**
 * A stored session as lines of text: its turns with the earlier versions of messages, and the branches where they leave.
 */
import type { LoggedMessage, Session } from '../../session.ts'
import { oneLine, plural } from '../terminal/index.ts'

export async function sessionTree(session: Session, open: (id: string) => Promise<Session>): Promise<string[]> {
  const { id, head } = session
  const all = await session.entries({ revisions: true })
  const { branches } = await session.lineage()
  const turns = await session.turns()
  const current = all.filter(({ replacedAt }) => replacedAt === undefined)
  const replaced = all.length - current.length
  const counts = [plural(head, 'record'), plural(current.length, 'message'), plural(turns.length, 'turn')]
  if (replaced > 0) counts.push(`${replaced} earlier`)
  if (branches.length > 0) counts.push(branches.length === 1 ? '1 branch' : `${branches.length} branches`)
  const lines = [`${oneLine(id, 200)}: ${counts.join(', ')}, ${plural(session.open.length, 'open call')}`]
  const leaving = new Map<number, string[]>()
  for (const branch of branches) {
    const other = await open(branch)
    const shared = sharedBy(current, await other.entries())
    const tree = (await sessionTree(other, open)).map((line, i) => `  ${i === 0 ? '├─ ' : '│  '}${line}`)
    leaving.set(shared, [...(leaving.get(shared) ?? []), ...tree])
  }
  lines.push(...(leaving.get(0) ?? []))
  for (const { name, start, end } of turns) {
    lines.push(`  ${name}  ${plural(end - start, 'message')}`)
    for (const one of replacedIn(all, current.slice(start, end))) lines.push(`    ${earlierLine(one)}`)
    for (let shared = start + 1; shared <= end; shared++) lines.push(...(leaving.get(shared) ?? []))
  }
  return lines
}

/** How many messages two lines have in common: the same records at the beginning. */
function sharedBy(one: readonly LoggedMessage[], other: readonly LoggedMessage[]): number {
  const last = one.findIndex(({ position }, i) => other[i]?.position !== position)
  return last < 0 ? one.length : last
}

/** Messages that left the conversation directly before one of these. */
function replacedIn(all: readonly LoggedMessage[], kept: readonly LoggedMessage[]): readonly LoggedMessage[] {
  const positions = new Set(kept.map(({ position }) => position))
  let before: LoggedMessage[] = []
  const found: LoggedMessage[] = []
  for (const one of all) {
    if (one.replacedAt !== undefined) before.push(one)
    else {
      if (positions.has(one.position)) found.push(...before)
      before = []
    }
  }
  return found
}

function earlierLine({ message, note, replacedAt }: LoggedMessage): string {
  const { content } = message as { content?: unknown }
  const text = typeof content === 'string' ? content : JSON.stringify(message)
  return `${note ? 'sent once' : `until record ${replacedAt}`}: ${oneLine(text, 80)}`
}
