/**
 * A live tail of requests: what the guard did with each, how long it took, and how the provider words the rejection.
 * New requests never move what is on screen; a button counts them.
 */
import { createMemo, createResource, createSignal, For, type JSX, Show } from 'solid-js'
import { client } from './client.ts'
import { ProviderQuotes } from './finding.tsx'
import type { RequestEvent } from './gateway.ts'
import { type Column, List } from './list.tsx'
import { connected, events } from './live.ts'
import { factsOf, outcomesOf, rulesOf, summaryOf, toneOf } from './request-outcome.ts'
import { RuleLink } from './rule-link.tsx'
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
        <input
          type="search"
          placeholder="Filter: repaired, 400, a session…"
          aria-label="Filter requests"
          value={filter()}
          onInput={({ target }) => setFilter(target.value)}
        />
        <span class={`chip ${connected() ? 'good' : 'warn'}`}>{connected() ? 'live' : 'connecting'}</span>
        <Show when={fresh() > 0}>
          <button
            type="button"
            class="pill"
            onClick={(event) => event.currentTarget.closest('main')!.scrollTo({ top: 0 })}
          >
            {fresh()} new
          </button>
        </Show>
      </div>
      <Show when={shown().length > 0} fallback={<p class="empty">{nothing()}</p>}>
        <List columns={COLUMNS}>
          <For each={shown()}>{(event) => <RequestRow event={event} />}</For>
        </List>
      </Show>
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
          <span class={`chip ${event.status >= 400 ? 'bad' : 'good'}`}>{event.status}</span>
        </td>
        <td class="number">{Math.round(event.ms)}</td>
        <td class="number">{event.overheadMs?.toFixed(2)}</td>
        <td>
          <For each={outcomesOf(event)}>{(one) => <span class={`chip ${toneOf(one)}`}>{one}</span>}</For>
          <span class="quiet"> {summaryOf(event)}</span>
        </td>
        <td>
          <Show when={event.session}>
            <a href={`#/session/${encodeURIComponent(event.session!)}`}>{event.session}</a>
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
            <p class="says">{rule.says}</p>
            <ProviderQuotes words={rule.words.slice(0, 2)} />
          </section>
        )}
      </For>
    </>
  )
}
