/** The gateway's sessions, read again after each request: provider, size, errors, and time of the last activity. */
import { createEffect, createMemo, createSignal, type JSX, on, onMount } from 'solid-js'
import { Button, Chip, Filter } from './controls.tsx'
import { call, needsKey, type SessionSummary } from './gateway.ts'
import { lastEvent } from './live.ts'
import { tokens } from './part.tsx'
import { go, sessionLink } from './route.ts'
import { deleteSession } from './session-actions.ts'
import { attempt } from './status.ts'
import { type Column, List } from './tables.tsx'
import { clockOf, timeOf } from './time.ts'

const [sessions, setSessions] = createSignal<readonly SessionSummary[]>([])
const [filter, setFilter] = createSignal('')
const [onlyBroken, setOnlyBroken] = createSignal(false)
const [loaded, setLoaded] = createSignal(false)

interface Page {
  readonly sessions: readonly SessionSummary[]
  readonly after?: string
}

async function load(): Promise<void> {
  const all: SessionSummary[] = []
  let after: string | undefined = ''
  do {
    const page: Page = await call('GET', `sessions?details=true&limit=100&after=${encodeURIComponent(after)}`)
    all.push(...page.sessions)
    after = page.after
  } while (after !== undefined && all.length < 1000)
  setSessions(all.sort((a, b) => (b.at ?? 0) - (a.at ?? 0)))
  setLoaded(true)
}

let timer: ReturnType<typeof setTimeout> | undefined
/** Reloads at most once a second, however many requests there are. */
function reloadSoon(): void {
  if (timer !== undefined) return
  timer = setTimeout(() => {
    timer = undefined
    void load().catch(() => {})
  }, 1_000)
}

const COLUMNS: readonly Column[] = [
  ['session'],
  ['provider'],
  ['turns', 'number'],
  ['tokens, estimated'],
  ['findings'],
  ['last activity', 'one-line'],
  [''],
]

export function SessionsPage(): JSX.Element {
  onMount(() => void attempt(load))
  createEffect(on(needsKey, (needed) => !needed && void attempt(load), { defer: true }))
  createEffect(on(lastEvent, (event) => event && reloadSoon(), { defer: true }))
  const shown = createMemo(() => {
    const words = filter().toLowerCase()
    return sessions().filter(
      ({ id, provider, model = '', errors }) =>
        `${id} ${provider} ${model}`.toLowerCase().includes(words) && (!onlyBroken() || errors > 0),
    )
  })
  return (
    <main class="page">
      <div class="page-head">
        <h1>Sessions</h1>
        <Filter title="Filter sessions" hint="Filter by id, provider or model" value={filter()} onInput={setFilter} />
        <label class="check">
          <input type="checkbox" checked={onlyBroken()} onChange={({ target }) => setOnlyBroken(target.checked)} /> with
          findings only
        </label>
        <span class="quiet">
          {shown().length} of {sessions().length}
        </span>
      </div>
      <List columns={COLUMNS} rows={shown()} empty={nothing()}>
        {(one) => <SessionRow session={one} />}
      </List>
    </main>
  )
}

function nothing(): string {
  if (!loaded()) return 'loading…'
  return sessions().length > 0
    ? 'No session matches the filter.'
    : 'No session yet. Send a request through the gateway with a `suture-session` header.'
}

function SessionRow(props: { readonly session: SessionSummary }): JSX.Element {
  const one = props.session
  const link = sessionLink(one.id)
  return (
    <tr onClick={() => go(link)}>
      <th scope="row">
        <a href={link}>{one.id}</a>
      </th>
      <td class="one-line">
        {one.provider} <span class="quiet">{one.model}</span>
      </td>
      <td class="number">{one.turns}</td>
      <td class="one-line">
        <span class="meter" title={`${one.tokens} of ${one.window}`}>
          <span style={{ width: `${Math.min(100, (one.tokens / one.window) * 100)}%` }} />
        </span>{' '}
        {tokens(one.tokens)} <span class="quiet">of {tokens(one.window)}</span>
      </td>
      <td>
        <Chip tone="good" text="valid" when={one.errors + one.warnings === 0} />
        <Chip tone="bad" text={`${one.errors} errors`} when={one.errors > 0} />
        <Chip tone="warn" text={`${one.warnings} warnings`} when={one.warnings > 0} />
        <Chip tone="quiet" text={`${one.open} open`} when={one.open > 0} />
      </td>
      <td title={one.at === undefined ? '' : timeOf(one.at)}>{one.at === undefined ? 'unknown' : clockOf(one.at)}</td>
      <td>
        <Button
          class="link danger"
          text="Delete"
          onClick={(event) => {
            event.stopPropagation()
            void deleteSession(one.id).then((done) => (done ? load() : undefined))
          }}
        />
      </td>
    </tr>
  )
}
