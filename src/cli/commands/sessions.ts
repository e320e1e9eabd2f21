/** `suture sessions`: lists and changes stored sessions; changes can be undone. Needs the driver of the store. */
import { existsSync } from 'node:fs'
import { isObject, tryParseJson } from '../../core/index.ts'
import { suggest } from '../../core/options.ts'
import { type OpenOptions, openSession, openStore, type Session, type Store } from '../../session.ts'
import { named } from '../../target.ts'
import { type Arguments, type Command, CommandError, type Context, EXIT } from '../command.ts'
import { indented } from '../json-output.ts'
import { oneLine, plural } from '../terminal/index.ts'
import { sessionTree } from './session-tree.ts'

const ACTIONS = ['list', 'show', 'pages', 'revert', 'fork', 'export', 'undo', 'verify', 'prune'] as const
const DEFAULT = 'sqlite:./suture.db'
type Action = (typeof ACTIONS)[number]

export const sessions: Command = {
  spec: {
    name: 'sessions',
    summary: 'stored sessions: list, show, pages, revert, fork, export, undo, verify, prune.',
    usage: ['suture sessions list', 'suture sessions ACTION ID [ARGUMENTS]'],
    examples: [
      ['suture sessions list', 'ids of all sessions in ./suture.db, without branches'],
      ['suture sessions show my-chat', 'its turns, earlier versions of messages, branches, and what is open'],
      ['suture sessions pages my-chat --size 20', 'the newest messages, in whole turns'],
      ['suture sessions export my-chat > history.json', 'what would be sent'],
      ['suture sessions revert my-chat 12', 'removes turn 12 and all later turns from the history'],
      ['suture sessions fork my-chat 12 my-other-chat', 'a new session up to turn 12'],
      ['suture sessions undo my-chat', 'undoes the latest change'],
      ['suture sessions prune --idle-days 90 --write', 'deletes sessions without a record for 90 days'],
      ['suture sessions verify', 'every record of every session against its hash'],
    ],
    options: {
      'idle-days': { type: 'number', value: 'N', help: 'prune: sessions without a record for N days' },
      write: { type: 'boolean', help: 'prune: deletes them for good; without it they are only listed' },
      store: {
        type: 'string',
        short: 's',
        value: 'ADDRESS',
        help: 'sqlite:FILE or postgres://… (default sqlite:./suture.db)',
      },
      provider: {
        type: 'string',
        short: 'p',
        value: 'ID',
        help: 'provider that will get the history (default: the stored one)',
      },
      'last-turns': { type: 'number', value: 'N', help: 'export: only the last N turns' },
      size: { type: 'number', value: 'N', help: 'pages: at least N messages (default 50)' },
      cursor: { type: 'string', value: 'TEXT', help: 'pages: the cursor that the previous page returned' },
      json: { type: 'boolean', help: 'as JSON' },
    },
    notes: ['Nothing stored is rewritten: revert and undo append to the log. Only prune deletes.'],
  },
  async run(args, context) {
    const [word = 'list', id, ...rest] = args.files
    const action = actionOf(word)
    const store = await open(args.text('store') ?? context.host.env['SUTURE_STORE'] ?? DEFAULT)
    try {
      if (action === 'list') return await list(store, args, context)
      if (action === 'prune') return await prune(store, args, context)
      if (action === 'verify' && id === undefined) return await verifyAll(store, args, context)
      if (id === undefined)
        throw new CommandError(
          `Name a session: \`suture sessions ${action} ID\`. \`suture sessions list\` has the ids.`,
        )
      return await actions[action](await sessionOf(store, id, args), rest, args, context, store)
    } finally {
      await store.close()
    }
  },
}

function actionOf(word: string): Action {
  if ((ACTIONS as readonly string[]).includes(word)) return word as Action
  const near = suggest(word, ACTIONS)
  throw new CommandError(
    `There is no "suture sessions ${oneLine(word, 40)}". ${near ? `Did you mean "${near}"?` : `There are ${ACTIONS.join(', ')}.`}`,
  )
}

/** Checks that the file exists: opening would create it, and the name may be mistyped. */
async function open(address: string): Promise<Store> {
  const file = address.startsWith('sqlite:') ? address.slice('sqlite:'.length) : undefined
  if (file !== undefined && !existsSync(file))
    throw new CommandError(
      `There is no store ${oneLine(file, 300)}. Name one: --store sqlite:path/to/suture.db, or postgres://….`,
    )
  return openStore(address)
}

type Do = (
  session: Session,
  rest: readonly string[],
  args: Arguments,
  context: Context,
  store: Store,
) => Promise<number>

const actions: Readonly<Record<Exclude<Action, 'list' | 'prune'>, Do>> = {
  async show(session, _rest, args, context, store) {
    if (!args.flag('json')) {
      const open = (id: string) => sessionOf(store, id, args)
      context.out((await sessionTree(session, open)).join('\n'))
      return EXIT.ok
    }
    const turns = await session.turns()
    const { branches } = await session.lineage()
    const found = { id: session.id, head: session.head, turns, open: session.open.length, branches }
    context.out(JSON.stringify(found, null, 2))
    return EXIT.ok
  },
  async pages(session, _rest, args, context) {
    const [size, cursor] = [args.number('size'), args.text('cursor')]
    const page = await session.page({
      ...(size === undefined ? {} : { size }),
      ...(cursor === undefined ? {} : { cursor }),
    })
    context.out(indented(page))
    return EXIT.ok
  },
  async revert(session, [turn], _args, context) {
    await session.revert(turnOf(turn, 'revert'))
    context.out(
      `Turn ${turn} and all after it are taken back. \`suture sessions undo ${oneLine(session.id, 100)}\` brings them back.`,
    )
    return EXIT.ok
  },
  async fork(session, [turn, id], _args, context) {
    if (id === undefined)
      throw new CommandError('A fork needs a turn and a new id: `suture sessions fork ID TURN NEW-ID`.')
    const made = await session.fork(turnOf(turn, 'fork'), id)
    context.out(`${oneLine(made.id, 200)}: ${plural((await made.turns()).length, 'turn')}.`)
    return EXIT.ok
  },
  async export(session, _rest, args, context) {
    const last = args.number('last-turns')
    const history = last === undefined ? await session.history() : await session.exportLast(last)
    context.data(Buffer.from(`${indented(history)}\n`))
    return EXIT.ok
  },
  async undo(session, _rest, _args, context) {
    await session.undo({ by: 'command line' })
    context.out('The latest change is taken back.')
    return EXIT.ok
  },
  async verify(session, _rest, args, context) {
    const { damage, records } = await session.verify()
    if (args.flag('json')) context.out(JSON.stringify({ id: session.id, records, damage }))
    else
      context.out(
        `${oneLine(session.id, 200)}: ${plural(records, 'record')}, ${damage.length === 0 ? 'all as written' : damage.map((one) => `record ${one.seq} ${one.what}`).join(', ')}`,
      )
    return damage.length === 0 ? EXIT.ok : EXIT.findings
  },
}

function turnOf(text: string | undefined, action: string): number {
  if (text !== undefined && /^[1-9]\d*$/.test(text)) return Number(text)
  throw new CommandError(
    `Name a turn by its number: \`suture sessions ${action} ID 12\`. \`suture sessions show ID\` lists them.`,
  )
}

async function* idsIn(store: Store): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const ids = await store.list(after, 500)
    yield* ids
    if (ids.length < 500) return
    after = ids.at(-1)!
  }
}

async function list(store: Store, args: Arguments, context: Context): Promise<number> {
  let count = 0
  for await (const id of idsIn(store)) {
    if (await isBranch(store, id)) continue
    count++
    const { head, owner } = await store.head(id)
    if (args.flag('json')) context.out(JSON.stringify({ id, records: head, owner }))
    else
      context.out(
        `${oneLine(id, 200)}  ${plural(head, 'record')}${owner === null ? '' : `, held by ${oneLine(owner, 80)}`}`,
      )
  }
  if (count === 0 && !args.flag('json')) context.out('The store has no sessions.')
  return EXIT.ok
}

/** A session without times in its last records is kept: nothing says when it was used. */
async function prune(store: Store, args: Arguments, context: Context): Promise<number> {
  const days = args.number('idle-days')
  if (days === undefined) throw new CommandError('Name the days: `suture sessions prune --idle-days 90`.')
  const before = Date.now() - days * 86_400_000
  const [ids, isWritten] = [[] as string[], args.flag('write')]
  for await (const id of idsIn(store)) if ((await lastUsed(store, id)) < before) ids.push(id)
  for (const id of ids) {
    if (isWritten) await store.purge(id)
    context.out(`${oneLine(id, 200)}  ${isWritten ? 'deleted' : 'would be deleted: add --write'}`)
  }
  context.out(`${plural(ids.length, 'session')} without a record for ${plural(days, 'day')}.`)
  return EXIT.ok
}

/** Milliseconds; infinite if no record has a time, or a process holds the session. */
async function lastUsed(store: Store, id: string): Promise<number> {
  const { head, owner } = await store.head(id)
  const entries = owner === null ? await store.read(id, Math.max(1, head - 50), head) : []
  const times = entries.map(({ body }) => {
    const value = tryParseJson(body)
    return isObject(value) && typeof value['at'] === 'string' ? Date.parse(value['at']) : Number.NaN
  })
  const known = times.filter((time) => !Number.isNaN(time))
  return known.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...known)
}

/** A line of another session, made by the gateway; a fork under a name of its own is a session. */
async function isBranch(store: Store, id: string): Promise<boolean> {
  return /~\d+(-[0-9a-f]{12})?$/.test(id) && (await store.lineage(id)).base !== undefined
}

async function verifyAll(store: Store, args: Arguments, context: Context): Promise<number> {
  let worst: number = EXIT.ok
  for await (const id of idsIn(store))
    worst = Math.max(worst, await actions.verify(await sessionOf(store, id, args), [], args, context, store))
  return worst
}

/** The lines of a stored session with this id, for `suture show`; undefined if there is none. */
export async function storedTree(id: string, args: Arguments, context: Context): Promise<string | undefined> {
  const address = context.host.env['SUTURE_STORE'] ?? DEFAULT
  if (address === DEFAULT && !existsSync(DEFAULT.slice('sqlite:'.length))) return undefined
  const store = await openStore(address)
  try {
    if ((await store.head(id)).head === 0) return undefined
    const open = (name: string) => sessionOf(store, name, args)
    return (await sessionTree(await open(id), open)).join('\n')
  } finally {
    await store.close()
  }
}

async function sessionOf(store: Store, id: string, args: Arguments): Promise<Session> {
  const { head } = await store.head(id)
  if (head === 0)
    throw new CommandError(
      `There is no session "${oneLine(id, 200)}" in this store. \`suture sessions list\` has the ids.`,
    )
  const stored = await authorOf(store, id)
  return openSession(
    store,
    id,
    named<OpenOptions>({
      provider: args.text('provider') ?? stored.provider,
      ...(stored.dialect === undefined ? {} : { dialect: stored.dialect }),
    }),
  )
}

/** The first records contain the dialect, and usually the provider. */
async function authorOf(store: Store, id: string): Promise<{ provider: string; dialect: string | undefined }> {
  const bodies = (await store.read(id, 1, 50)).map(({ body }) => {
    try {
      return JSON.parse(body) as { dialect?: string; by?: { provider?: string } }
    } catch {
      return {}
    }
  })
  const dialect = bodies.find((body) => body.dialect !== undefined)?.dialect
  const by = bodies.find((body) => typeof body.by === 'object' && body.by.provider !== undefined)?.by
  if (by?.provider !== undefined) return { provider: by.provider, dialect }
  const { providers } = await import('../../index.ts')
  const maker = providers.find(({ serves }) => serves.some((one) => one.dialect.id === dialect))
  return { provider: maker?.id ?? 'openai', dialect }
}
