/**
 * A file with a conversation in it, as a crash leaves it: the latest appends still in the journal. Copied for every
 * point that is tried.
 */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from '../../src/session/index.ts'
import { type Opening, openFile } from './drivers.ts'
import { randomOf } from './matrix-row.ts'
import { doings, openScene, type Scene } from './operations.ts'
import { builders } from './tagged-messages.ts'
import { everything } from './validity.ts'

const story = ['turn', 'call', 'results', 'turn', 'replace', 'turn', 'propose', 'call'] as const

/** Written by the real store; `folder` then holds the file and its journal. */
export async function writeTemplate(folder: string, opening: Omit<Opening, 'file'>, dialect: string): Promise<string> {
  const at = join(folder, 'at-work')
  mkdirSync(at, { recursive: true })
  const file = join(at, 's.db')
  const builder = builders[dialect]!
  const store = await openFile({ ...opening, file })
  const scene: Scene = {
    store,
    builder,
    random: randomOf(7),
    opening: { ...opening, file },
    session: await openScene(store, 's', builder),
  }
  for (const [i, doing] of story.entries()) await doings[doing]!(scene, `t.${i}`)
  const kept = copyTo(at, join(folder, 'template'))
  await store.close()
  return kept
}

/** The file and its journal; the shared memory next to them is rebuilt. */
export function copyTo(from: string, to: string): string {
  mkdirSync(to, { recursive: true })
  for (const end of ['', '-wal', '-journal']) {
    if (existsSync(join(from, `s.db${end}`))) copyFileSync(join(from, `s.db${end}`), join(to, `s.db${end}`))
  }
  return to
}

/** All that is in a file, session by session. */
export async function contents(opening: Opening): Promise<ReadonlyMap<string, readonly Entry[]>> {
  const store = await openFile(opening)
  try {
    const all = new Map<string, readonly Entry[]>()
    for (const session of await store.list('', 1000)) all.set(session, await everything(store, session))
    return all
  } finally {
    await store.close()
  }
}
