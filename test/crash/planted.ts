/**
 * Stores with one bug each, of the kinds that others had. The matrix must catch every one: a row that cannot fail
 * proves nothing. These use a real SQLite file; those of `loose.ts` a log in memory with several concurrent writers.
 */
import { isSutureError } from '../../src/core/index.ts'
import type { Answer, Batch, Store } from '../../src/session/index.ts'
import { chain, digestOf } from '../../src/session/index.ts'
import type { SqliteHandle } from '../../src/stores/sqlite.ts'
import { END, GROUP } from '../../src/stores/sqlite-sql.ts'

type Plant = (real: Store, handle: SqliteHandle) => Store

/** The real store with some of its methods replaced. */
function but(real: Store, own: Partial<Store>): Store {
  return new Proxy(real, {
    get: (target, key) => {
      const value = own[key as keyof Store] ?? target[key as keyof Store]
      return typeof value === 'function' ? value.bind(own[key as keyof Store] ? own : target) : value
    },
  })
}

let serial = 0

export const planted = {
  /** Nothing is synced to the disk. */
  'no-sync': (real, handle) => {
    handle.exec('PRAGMA synchronous = OFF')
    return real
  },

  /** A replacement empties the session and writes it again: two transactions. */
  'clear-then-add': (real) =>
    but(real, {
      append: async (session, batch) => {
        if (!batch.drafts.some(({ kind }) => kind === 'patch')) return real.append(session, batch)
        const { head } = await real.head(session)
        const entries = await real.read(session, 1, head)
        await real.purge(session)
        for (const { op, kind, body } of entries)
          await real.append(session, {
            op: `${op}#${serial++}`,
            expectedHead: 'any',
            drafts: [draftOf(op, kind, body, real)],
          })
        return real.append(session, batch)
      },
    }),

  /** Acknowledges before the record is stored. */
  'acknowledged-before-stored': (real) => {
    let late: Promise<unknown> = Promise.resolve()
    return but(real, {
      append: async (session, batch) => {
        const { head, hash } = await late.then(() => real.head(session))
        late = new Promise((done) => setTimeout(done, 5)).then(() => real.append(session, batch))
        const hashes = chain(hash, batch.drafts, (text) => real.sha256!(text))
        return { first: head + 1, last: head + batch.drafts.length, hash: hashes.at(-1)!, again: false }
      },
    })
  },

  /** Each record of a batch in a transaction of its own. */
  'one-by-one': (real) =>
    but(real, {
      append: async (session, batch) => {
        const answers: Answer[] = []
        for (const [i, draft] of batch.drafts.entries()) {
          const op = i === 0 ? batch.op : `${batch.op}#${i}`
          answers.push(
            await real.append(session, {
              ...batch,
              op,
              expectedHead: 'any',
              drafts: [{ ...draft, digest: digestOf(op, draft.kind, draft.body, (text) => real.sha256!(text)) }],
            }),
          )
        }
        return { ...answers.at(-1)!, first: answers[0]!.first }
      },
    }),

  /** The head goes first, in a transaction of its own. */
  'head-first': (real, handle) =>
    but(real, {
      append: async (session, batch) => {
        const { head } = await real.head(session)
        const move = handle.prepare(`UPDATE suture_place SET record = ? WHERE session = ? AND seq = ${END}`)
        move.run(head + batch.drafts.length, session)
        move.run(head, session)
        return real.append(session, batch)
      },
    }),

  /** Operations are not remembered: asked for again, they are stored again. */
  'forgets-operations': (real) => but(real, { append: (session, batch) => real.append(session, renamed(batch, real)) }),

  /** Only the latest operations are remembered. */
  'forgets-older-operations': (real) =>
    but(real, {
      append: async (session, batch) => {
        const [known, { head }] = [await real.find(session, batch.op), await real.head(session)]
        return real.append(session, known && known.last < head - GROUP ? renamed(batch, real) : batch)
      },
    }),

  /** Hashes are worked out when they are read, so they always fit. */
  'hash-on-read': (real) =>
    but(real, {
      read: async (session, from, to) => {
        const entries = await real.read(session, 1, to)
        const hashes = chain(
          '',
          entries.map(({ op, kind, body }) => draftOf(op, kind, body, real)),
          (text) => real.sha256!(text),
        )
        return entries.map((entry, i) => ({ ...entry, hash: hashes[i]! })).filter(({ seq }) => seq >= from)
      },
    }),

  /** An error of the disk is logged, and the conversation goes on. */
  'swallows-errors': (real) =>
    but(real, {
      append: async (session, batch) => {
        const { head } = await real.head(session)
        return real.append(session, batch).catch((error: unknown) => {
          if (!isSutureError(error, 'store-failed') && !isSutureError(error, 'unknown-outcome')) throw error
          return { first: head + 1, last: head + batch.drafts.length, hash: '', again: false }
        })
      },
    }),
} satisfies Record<string, Plant>

export type Planted = keyof typeof planted

function draftOf(op: string, kind: Batch['drafts'][number]['kind'], body: string, real: Store) {
  return { kind, body, digest: digestOf(op, kind, body, (text) => real.sha256!(text)) }
}

function renamed(batch: Batch, real: Store): Batch {
  const op = `${batch.op}#${serial++}`
  return { ...batch, op, drafts: batch.drafts.map(({ kind, body }) => draftOf(op, kind, body, real)) }
}
