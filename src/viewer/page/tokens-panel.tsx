/** Tokens as pictures that add up: the window, categories, turns, tools. Recorded counts are apart from estimates. */
import { createResource, createSignal, For, type JSX, Show } from 'solid-js'
import { CATEGORIES, type RecordedView, type TokenBar, type TokenView } from '../worker/protocol.ts'
import { client } from './client.ts'
import { Button } from './controls.tsx'
import { overview } from './opened.ts'
import { tokens } from './part.tsx'
import { jumpTo } from './route.ts'
import { dollars, exact, Numbers } from './tables.tsx'

const MOST = 60

export function TokensPanel(): JSX.Element {
  const [view] = createResource(overview, () => client.tokens())
  return (
    <div class="panel-body">
      <Show when={view()} fallback={<p class="quiet">counting…</p>} keyed>
        {(all) => (
          <>
            <WindowBar all={all} />
            <Categories all={all} />
            <Turns all={all} />
            <Tools all={all} />
            <Recorded all={all} />
          </>
        )}
      </Show>
    </div>
  )
}

function WindowBar(props: { readonly all: TokenView }): JSX.Element {
  const { total, window, limit, goal } = props.all
  const full = Math.max(window, total)
  return (
    <figure class="window" aria-label={`${total} of ${window} tokens`}>
      <figcaption>
        <span classList={{ over: total > window }}>
          {tokens(total)} of a window of {tokens(window)}
        </span>{' '}
        <span class="quiet">({share(total, window)})</span>
      </figcaption>
      <div class="bar">
        <div class="bar-fill" classList={{ over: total > limit }} style={{ width: share(total, full) }} />
        <div class="bar-mark" style={{ left: share(limit, full) }} title="a compaction is due" />
        <div class="bar-mark goal" style={{ left: share(goal, full) }} title="a compaction cuts down to here" />
      </div>
      <p class="quiet">
        Compaction is due at {tokens(limit)} and cuts down to {tokens(goal)}.
      </p>
    </figure>
  )
}

function Categories(props: { readonly all: TokenView }): JSX.Element {
  const { categories, total } = props.all
  const used = CATEGORIES.map((name, i) => [name, categories[i]!] as const).filter(([, count]) => count > 0)
  const named = (name: string) => (
    <>
      <i class={`key key-${name}`} />
      {name}
    </>
  )
  return (
    <>
      <h2>
        By category <span class="quiet">estimated, {tokens(total)}</span>
      </h2>
      <Stack parts={categories} total={total} />
      <Numbers
        hasSum
        rows={[
          ...used.map(([name, count]) => [named(name), exact(count), share(count, total)] as const),
          ['total', exact(total), '100%'],
        ]}
      />
    </>
  )
}

function Stack(props: { readonly parts: readonly number[]; readonly total: number }): JSX.Element {
  return (
    <div class="stack" aria-hidden="true">
      <For each={props.parts}>
        {(part, i) => (
          <Show when={part > 0}>
            <div class={`key-${CATEGORIES[i()]}`} style={{ width: share(part, props.total) }} />
          </Show>
        )}
      </For>
    </div>
  )
}

function Turns(props: { readonly all: TokenView }): JSX.Element {
  const [byRound, setByRound] = createSignal(false)
  const [plan] = createResource(overview, () => client.plan(true))
  const cutTurn = () => overview()?.turns[plan.latest?.cutRow ?? -1] ?? -1
  const bars = () => (byRound() ? props.all.rounds : props.all.turns)
  const largest = () => bars().reduce((most, bar) => Math.max(most, bar.tokens), 1)
  return (
    <>
      <h2>
        By {byRound() ? 'round' : 'turn'}{' '}
        <Button class="link" text={byRound() ? 'by turn' : 'by round'} onClick={() => setByRound(!byRound())} />
      </h2>
      <Show when={cutTurn() >= 0}>
        <p class="quiet">The dashed line: a compaction made now would cut at turn {cutTurn()}.</p>
      </Show>
      <div class="bars">
        <For each={top(bars())}>
          {(bar) => <Bar bar={bar} largest={largest()} isCut={bar.parts !== undefined && bar.turn === cutTurn()} />}
        </For>
      </div>
    </>
  )
}

interface BarProps {
  readonly bar: TokenBar
  readonly largest: number
  readonly isCut: boolean
}

function Bar(props: BarProps): JSX.Element {
  const { name, row, parts, tokens: count } = props.bar
  return (
    <button
      type="button"
      class="bar-row"
      classList={{ cut: props.isCut }}
      title={props.isCut ? 'a compaction made now would cut in or before this turn' : undefined}
      onClick={() => jumpTo(row)}
    >
      <span>{name}</span>
      <div class="bar-track">
        <div class="bar-size" classList={{ solid: !parts }} style={{ width: share(count, props.largest) }}>
          <Show when={parts}>
            <Stack parts={parts!} total={count} />
          </Show>
        </div>
      </div>
      <span>{tokens(count)}</span>
    </button>
  )
}

function Tools(props: { readonly all: TokenView }): JSX.Element {
  const { tools } = props.all
  return (
    <Show when={tools.length > 0}>
      <h2>
        By tool <span class="quiet">calls and results</span>
      </h2>
      <Numbers rows={tools.slice(0, MOST).map((tool) => [tool.name, `${tool.calls} ×`, tokens(tool.tokens)])} />
    </Show>
  )
}

/** Counts as the agent wrote them into the file. They are never added to estimates. */
function Recorded(props: { readonly all: TokenView }): JSX.Element {
  return (
    <Show when={props.all.recorded}>
      {(recorded) => (
        <>
          <h2>As recorded in the file</h2>
          <Numbers
            rows={[
              ['requests', String(recorded().requests)],
              ['input of the last request', exact(recorded().input)],
              ['of it from the cache', exact(recorded().cached)],
              ['output of all requests', exact(recorded().output)],
              [`cost, at list prices of ${recorded().pricesOf}`, costText(recorded())],
            ]}
          />
        </>
      )}
    </Show>
  )
}

function costText({ cost, unpriced, requests }: RecordedView): string {
  if (unpriced === requests) return 'unknown'
  return unpriced === 0 ? dollars(cost) : `${dollars(cost)}, unknown for ${unpriced}`
}

/** Only the largest bars if there are many, in their order. */
function top(bars: readonly TokenBar[]): readonly TokenBar[] {
  if (bars.length <= MOST) return bars
  const least = bars.map(({ tokens }) => tokens).sort((a, b) => b - a)[MOST - 1]!
  return bars.filter(({ tokens }) => tokens >= least).slice(0, MOST)
}

function share(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Math.round((part / whole) * 1000) / 10}%`
}
