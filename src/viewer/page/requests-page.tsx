/**
 * A live tail of requests: what the guard did with each, how long it took, and what the provider rejects by that rule.
 * New requests never move what is on screen; a button counts them.
 */
import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import type { RequestEvent } from './gateway.ts'
import { connected, events } from './live.ts'
import { timeOf } from './sessions-page.tsx'

const OUTCOMES = ['repaired', 'rejected', 'recovered', 'shrunk', 'incomplete', 'failed', 'passed'] as const
type Outcome = (typeof OUTCOMES)[number]

const [filter, setFilter] = createSignal('')
const [held, setHeld] = createSignal<readonly RequestEvent[]>()

function outcomesOf(event: RequestEvent): readonly Outcome[] {
  const found: Outcome[] = []
  if (event['edits'] !== undefined) found.push('repaired')
  if (event['refused'] !== undefined || event['rejected'] !== undefined) found.push('rejected')
  if (event['recoveries'] !== undefined) found.push('recovered')
  if (event['fieldsRemoved'] !== undefined || event['compacted'] !== undefined) found.push('shrunk')
  if (event['incomplete'] !== undefined) found.push('incomplete')
  if (event['failed'] !== undefined || event['problem'] !== undefined) found.push('failed')
  return found.length > 0 ? found : ['passed']
}

export function RequestsPage(): JSX.Element {
  /** While someone reads further down, the list is held as it was. */
  const all = createMemo(() => [...(held() ?? events())].reverse())
  const shown = createMemo(() => {
    const words = filter().toLowerCase()
    return all().filter(
      (event) =>
        words === '' ||
        `${event.upstream} ${event.path} ${event.session ?? ''} ${event.status} ${outcomesOf(event).join(' ')}`
          .toLowerCase()
          .includes(words),
    )
  })
  const fresh = () => (held() ? events().length - held()!.length : 0)
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
      <Show when={shown().length > 0} fallback={<p class="empty">No request yet. They appear here as they pass.</p>}>
        <table class="list">
          <thead>
            <tr>
              <th scope="col">time</th>
              <th scope="col">request</th>
              <th scope="col" class="number">
                status
              </th>
              <th scope="col" class="number">
                ms
              </th>
              <th scope="col" class="number">
                added ms
              </th>
              <th scope="col">what the guard did</th>
              <th scope="col">session</th>
            </tr>
          </thead>
          <tbody>
            <For each={shown()}>{(event) => <RequestRow event={event} />}</For>
          </tbody>
        </table>
      </Show>
    </main>
  )
}

function RequestRow(props: { readonly event: RequestEvent }): JSX.Element {
  const { event } = props
  const outcomes = outcomesOf(event)
  return (
    <tr>
      <td>{timeOf(event.at)}</td>
      <td>
        <code>
          {event.method} /{event.upstream}
          {event.path}
        </code>
      </td>
      <td class="number">
        <span class={`chip ${event.status >= 400 ? 'bad' : 'good'}`}>{event.status}</span>
      </td>
      <td class="number">{Math.round(event.ms)}</td>
      <td class="number">{event.addedMs?.toFixed(2)}</td>
      <td>
        <For each={outcomes}>
          {(one) => (
            <span
              class={`chip ${one === 'passed' ? 'quiet' : one === 'rejected' || one === 'failed' ? 'bad' : 'warn'}`}
            >
              {one}
            </span>
          )}
        </For>
        <span class="quiet"> {detailOf(event)}</span>
      </td>
      <td>
        <Show when={event.session}>
          <a href={`#/session/${encodeURIComponent(event.session!)}`}>{event.session}</a>
        </Show>
      </td>
    </tr>
  )
}

function detailOf(event: RequestEvent): string {
  const parts: string[] = []
  const findings = event['findings']
  if (typeof findings === 'object' && findings !== null)
    parts.push(
      Object.entries(findings)
        .map(([rule, count]) => `${rule} × ${count}`)
        .join(', '),
    )
  for (const name of ['refused', 'refusedAt', 'incomplete', 'failed', 'problem', 'rejection'] as const)
    if (typeof event[name] === 'string') parts.push(String(event[name]))
  if (Array.isArray(event['recoveries'])) parts.push(event['recoveries'].join(', '))
  return parts.join(' · ')
}
