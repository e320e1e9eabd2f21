/**
 * The list of requests as they arrive: what the guard did with each, the time it took, and the provider's words of a rejection.
 * New requests never move the rows on screen; a button counts them.
 */
import { createMemo, createResource, createSignal, For, type JSX, Show } from 'solid-js'
import { client } from './client.ts'
import { Button, Chip, Filter } from './controls.tsx'
import { ProviderQuotes } from './finding.tsx'
import type { RequestEvent } from './gateway.ts'
import { arriving, events } from './live.ts'
import { LiveMark } from './live-mark.tsx'
import { factsOf, outcomesOf, rulesOf, summaryOf, toneOf } from './request-outcome.ts'
import { sessionLink } from './route.ts'
import { RuleLink } from './rule-link.tsx'
import { type Column, List } from './tables.tsx'
import { clockOf, timeOf } from './time.ts'

const [filter, setFilter] = createSignal('')
const [held, setHeld] = createSignal<readonly RequestEvent[]>()
const [opened, setOpened] = createSignal<number>()

const COLUMNS: readonly Column[] = [
  ['time'],
  ['request'],
  ['status', 'number'],
  ['ms', 'number'],
  ['of it here', 'number'],
  ['what the guard did'],
  ['session'],
]

export function RequestsPage(): JSX.Element {
  /** The list does not change while the user has scrolled down. */
  const all = createMemo(() => [...(held() ?? events())].reverse())
  const shown = createMemo(() => {
    const words = filter().toLowerCase()
    return words === '' ? all() : all().filter((event) => searchable(event).includes(words))
  })
  const fresh = () => (held() ? (events().at(-1)?.seq ?? 0) - (held()!.at(-1)?.seq ?? 0) : 0)
  const onScroll = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    if (currentTarget.scrollTop > 8 && !held()) setHeld(events())
    else if (currentTarget.scrollTop <= 8 && held()) setHeld(undefined)
  }
  return (
    <main class="page scroll" id="requests" tabindex="0" onScroll={onScroll}>
      <div class="page-head">
        <h1>Requests</h1>
        <Filter title="Filter requests" hint="Filter: repaired, 400, a session…" value={filter()} onInput={setFilter} />
        <LiveMark isArriving={arriving() !== undefined} otherwise="no request at present" />
        <Show when={fresh() > 0}>
          <Button
            class="pill"
            text={`${fresh()} new`}
            onClick={({ currentTarget }) => currentTarget.closest('main')!.scrollTo({ top: 0 })}
          />
        </Show>
      </div>
      <List columns={COLUMNS} rows={shown()} empty={nothing()}>
        {(event) => <RequestRow event={event} />}
      </List>
    </main>
  )
}

function nothing(): string {
  return events().length > 0
    ? 'No request matches the filter.'
    : 'No request yet. They appear here as they pass through the gateway.'
}

function searchable(event: RequestEvent): string {
  const { upstream, path, session = '', status } = event
  return `${upstream} ${path} ${session} ${status} ${outcomesOf(event).join(' ')} ${summaryOf(event)}`.toLowerCase()
}

function RequestRow(props: { readonly event: RequestEvent }): JSX.Element {
  const { event } = props
  const isOpen = () => opened() === event.seq
  return (
    <>
      <tr>
        <td title={timeOf(event.at)}>{clockOf(event.at)}</td>
        <td>
          <button
            type="button"
            class="link request"
            aria-expanded={isOpen()}
            onClick={() => setOpened(isOpen() ? undefined : event.seq)}
          >
            {isOpen() ? '▾' : '▸'} {event.method} {event.upstream} <code>{event.path}</code>
          </button>
        </td>
        <td class="number">
          <Chip tone={event.status >= 400 ? 'bad' : 'good'} text={String(event.status)} />
        </td>
        <td class="number">{Math.round(event.ms)}</td>
        <td class="number">{event.overheadMs?.toFixed(2)}</td>
        <td>
          <For each={outcomesOf(event)}>{(one) => <Chip tone={toneOf(one)} text={one} />}</For>
          <span class="quiet"> {summaryOf(event)}</span>
        </td>
        <td>
          <Show when={event.session}>
            <a href={sessionLink(event.session!)}>{event.session}</a>
          </Show>
        </td>
      </tr>
      <Show when={isOpen()}>
        <tr class="details">
          <td colspan={7}>
            <RequestDetails event={event} />
          </td>
        </tr>
      </Show>
    </>
  )
}

function RequestDetails(props: { readonly event: RequestEvent }): JSX.Element {
  const { event } = props
  const [rules] = createResource(() =>
    Promise.all(rulesOf(event).map(async (id) => ({ id, ...(await client.rule(id, event.upstream)) }))),
  )
  return (
    <>
      <dl class="facts">
        <For each={factsOf(event)}>
          {([name, value]) => (
            <div>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          )}
        </For>
      </dl>
      <For each={rules()}>
        {(rule) => (
          <section class="finding warning">
            <div class="finding-head">
              <RuleLink rule={rule.id} />
            </div>
            <p class="rule-summary">{rule.summary}</p>
            <ProviderQuotes words={rule.words.slice(0, 2)} />
          </section>
        )}
      </For>
    </>
  )
}
