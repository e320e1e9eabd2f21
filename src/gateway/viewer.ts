import type { Session } from '../session/index.ts'
import { GatewayError } from './gateway-error.ts'
import { LruCache } from './lru.ts'
import type { Caller } from './protection/index.ts'
import type { SessionInfo, Sessions } from './recording/index.ts'
import type { Outgoing } from './types.ts'

/**
 * What the gateway needs to show sessions in a browser: the files of the page, and a summary of each session. The files
 * need no key; everything they show does.
 */
export interface Viewer {
  /** A file of the page by its path, `index.html` for the page itself; undefined if there is none. */
  file(path: string): { readonly headers: readonly string[]; readonly body: Uint8Array } | undefined
  /** Counts of a history: `turns`, `tokens`, `window`, `errors`, `warnings`. */
  summarize(history: readonly unknown[], about: SessionInfo): Readonly<Record<string, unknown>>
}

export const VIEWER_PATH = '/suture/viewer'

/** The page or one of its files. */
export function viewerFile(viewer: Viewer | undefined, path: string): Outgoing {
  if (path === VIEWER_PATH) return { status: 308, headers: ['location', `${VIEWER_PATH}/`], body: Buffer.alloc(0) }
  const found = viewer?.file(path.slice(VIEWER_PATH.length + 1) || 'index.html')
  if (!found) throw new GatewayError('no-such-path', 'The viewer has no such file.')
  return { status: 200, headers: [...found.headers], body: found.body }
}

const summaries = new LruCache<Readonly<Record<string, unknown>>>(2_000)

/** Sessions with their counts. An unchanged session is not read again. */
export async function summarized(
  sessions: Sessions,
  caller: Caller,
  ids: readonly string[],
  viewer: Viewer,
): Promise<readonly unknown[]> {
  const found: unknown[] = []
  for (const id of ids) {
    const name = sessions.fullId(caller.scope(), id)
    const { head } = await sessions.store.head(name)
    const key = `${name}\n${head}`
    const known = summaries.get(key) ?? (await summaryOf(sessions, caller.scope(), id, viewer))
    summaries.set(key, known)
    found.push({ id, ...known })
  }
  return found
}

async function summaryOf(
  sessions: Sessions,
  scope: string,
  id: string,
  viewer: Viewer,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    const { session, about } = await sessions.known(scope, id)
    const history = await session.history()
    const { head, open } = session
    const counts = { head, open: open.length, messages: history.length }
    return { ...about, ...counts, ...viewer.summarize(history, about), ...(await lastActivity(sessions, session)) }
  } catch (error) {
    // A session that cannot be read does not hide the others.
    return {
      provider: '',
      dialect: '',
      head: 0,
      messages: 0,
      turns: 0,
      tokens: 0,
      window: 1,
      errors: 0,
      warnings: 0,
      open: 0,
      problem: (error as Error).message,
    }
  }
}

async function lastActivity(sessions: Sessions, { id, head }: Session): Promise<{ at?: number }> {
  const [last] = await sessions.store.read(id, head, head)
  const at = last ? Date.parse((JSON.parse(last.body) as { at?: string }).at ?? '') : Number.NaN
  const sent = sessions.lastSent(id)?.at
  const latest = Number.isNaN(at) ? sent : Math.max(at, sent ?? 0)
  return latest === undefined ? {} : { at: latest }
}
