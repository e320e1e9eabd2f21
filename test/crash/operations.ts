/**
 * The operations that are cut down in the middle. Each is asked for under an id, so that it can be looked for
 * afterwards.
 */

import { isSutureError } from '../../src/core/index.ts'
import type { Session, Store } from '../../src/session.ts'
import { openSession } from '../untyped-api.ts'
import { type Opening, openFile } from './drivers.ts'
import { below, type Random } from './matrix-row.ts'
import { type MessageBuilder, resultCount, tagged } from './tagged-messages.ts'

export interface Scene {
  readonly store: Store
  readonly builder: MessageBuilder
  readonly random: Random
  readonly opening: Opening
  session: Session
}

/** What is printed when it is done: its position. */
export interface Done {
  readonly session: string
  readonly positions?: readonly number[]
}

export type Doing = (scene: Scene, op: string) => Promise<Done>

export const SNAPSHOT_EVERY = 9

export function openScene(store: Store, id: string, builder: MessageBuilder): Promise<Session> {
  return openSession(store, id, { provider: builder.provider, dialect: builder.dialect, snapshotEvery: SNAPSHOT_EVERY })
}

async function add(scene: Scene, op: string, messages: readonly unknown[]): Promise<Done> {
  const { positions } = await scene.session.append(messages, { operationId: op })
  return { session: scene.session.id, positions }
}

export const doings: Readonly<Record<string, Doing>> = {
  turn: (scene, op) => {
    const { builder, random } = scene
    return add(scene, op, [builder.user(tagged(op, 1, 2, random)), builder.assistant(tagged(op, 2, 2, random))])
  },
  prompt: (scene, op) => add(scene, op, [scene.builder.user(tagged(op, 1, 1, scene.random))]),
  call: (scene, op) => {
    const { builder, random } = scene
    const ids = Array.from({ length: 1 + below(random, 3) }, (_, i) => `call_${op}_${i}`)
    return add(scene, op, [builder.user(tagged(op, 1, 2, random)), builder.calls(ids, tagged(op, 2, 2, random))])
  },
  results: (scene, op) => {
    const { builder, random, session } = scene
    const ids = session.open.map(({ id }) => id!)
    if (ids.length === 0) return doings['call']!(scene, op)
    const count = resultCount(builder, ids.length) + 1
    const results = builder.results(ids, (i) => tagged(op, i + 1, count, random))
    return add(scene, op, [...results, builder.assistant(tagged(op, count, count, random))])
  },
  abort: async ({ session }, op) => {
    await session.abort({ operationId: op })
    return { session: session.id }
  },
  replace: async ({ session, builder }, op) => {
    const { history, upTo, prefixHash } = await session.view()
    const remove = history.slice(0, Math.ceil(history.length / 2))
    const insert = [builder.user('A summary of what was said before.')]
    const patch = [{ op: 'splice' as const, path: [], index: 0, remove, insert }]
    await session.replace(patch, { by: 'compaction', why: 'too long', upTo, prefixHash, operationId: op })
    return { session: session.id }
  },
  revert: async ({ session, random }, op) => {
    const turns = await session.turns()
    if (turns.length > 0)
      await session.revert(turns.length - below(random, Math.min(3, turns.length)), { operationId: op })
    return { session: session.id }
  },
  undo: async ({ session }, op) => {
    await session.undo({ operationId: op }).catch((error) => {
      if (!isSutureError(error, 'nothing-to-undo')) throw error
    })
    return { session: session.id }
  },
  fork: async ({ session, random }, op) => {
    const turns = await session.turns()
    if (turns.length === 0) return { session: session.id }
    const id = `${session.id}-${op}`
    await session.fork(1 + below(random, turns.length), id, { operationId: op })
    return { session: id }
  },
  propose: async ({ session, builder, random }, op) => {
    const { positions } = await session.append([builder.user(tagged(op, 1, 1, random))], {
      operationId: op,
      proposed: true,
    })
    return { session: session.id, positions }
  },
  accept: async (scene, op) => {
    const [waiting] = scene.session.found.proposed
    if (waiting === undefined) return doings['turn']!(scene, op)
    const answer = scene.builder.assistant(tagged(op, 1, 1, scene.random))
    await scene.session.append([answer], { operationId: op, accept: waiting })
    return { session: scene.session.id }
  },
  claim: async ({ session }) => {
    await session.claim('crash')
    await session.release()
    return { session: session.id }
  },
  create: async ({ opening, session }, op) => {
    const other = await openFile({ ...opening, file: `${opening.file}-${op}` })
    await other.close()
    return { session: session.id }
  },
  reopen: async (scene) => {
    scene.session = await openScene(scene.store, scene.session.id, scene.builder)
    return { session: scene.session.id }
  },
}
