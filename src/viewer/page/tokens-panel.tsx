/**
 * Tokens as pictures that add up: the window, categories, turns, tools. Recorded counts are apart from estimates.
 */
import { createResource, createSignal, For, type JSX, Show } from 'solid-js'
import { CATEGORIES, type TokenView } from '../worker/protocol.ts'
import { client } from './client.ts'
import { overview } from './opened.ts'
import { tokens } from './part.tsx'
import { jumpTo } from './route.ts'

const MOST = 60

export function TokensPanel(): JSX.Element {
  const [view] = createResource(overview, () => client.tokens())
  return (
    <div class="panel-body">
      <Show when={view()} fallback={<p class="quiet">counting…</p>} keyed>
        {(all) => (
          <>
            <WindowBar all={all} />
            <h2>
              By category <span class="quiet">estimated, {tokens(all.total)}</span>
            </h2>
            <Stack
              parts={CATEGORIES.map((name) => all.categories.find((one) => one.name === name)?.tokens ?? 0)}
              total={all.total}
            />
            <table class="numbers">
              <tbody>
                <For each={all.categories}>
                  {(one) => (
                    <tr>
                      <th scope="row">
                        <i class={`key key-${one.name}`} />
                        {one.name}
                      </th>
                      <td>{one.tokens.toLocaleString('en')}</td>
                      <td>{share(one.tokens, all.total)}</td>
                    </tr>
                  )}
                </For>
                <tr class="sum">
                  <th scope="row">total</th>
                  <td>{all.total.toLocaleString('en')}</td>
                  <td>100%</td>
                </tr>
              </tbody>
            </table>
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
        {tokens(total)} of a window of {tokens(window)} <span class="quiet">({share(total, window)})</span>
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
  const cutTurn = () => {
    const row = plan.latest?.cutRow ?? -1
    return row < 0 ? -1 : (overview()?.turns[row] ?? -1)
  }
  const largest = () => Math.max(1, ...props.all.turns.map(({ parts }) => sum(parts)))
  const largestRound = () => Math.max(1, ...props.all.rounds.map((one) => one.tokens))
  return (
    <>
      <h2>
        By {byRound() ? 'round' : 'turn'}{' '}
        <button type="button" class="link" onClick={() => setByRound(!byRound())}>
          {byRound() ? 'by turn' : 'by round'}
        </button>
      </h2>
      <Show when={cutTurn() >= 0}>
        <p class="quiet">The dashed line: a compaction made now would cut at turn {cutTurn()}.</p>
      </Show>
      <div class="bars">
        <Show
          when={byRound()}
          fallback={
            <For each={top(props.all.turns, ({ parts }) => sum(parts))}>
              {({ turn, row, parts }) => (
                <Bar
                  name={`turn ${turn}`}
                  row={row}
                  tokens={sum(parts)}
                  largest={largest()}
                  parts={parts}
                  isCut={turn === cutTurn()}
                />
              )}
            </For>
          }
        >
          <For each={top(props.all.rounds, (one) => one.tokens)}>
            {({ name, row, tokens }) => (
              <Bar
                name={name.replace('turn ', '').replace(', round ', '.')}
                row={row}
                tokens={tokens}
                largest={largestRound()}
              />
            )}
          </For>
        </Show>
      </div>
    </>
  )
}

interface BarProps {
  readonly name: string
  readonly row: number
  readonly tokens: number
  readonly largest: number
  /** By category. */
  readonly parts?: readonly number[]
  readonly isCut?: boolean
}

function Bar(props: BarProps): JSX.Element {
  return (
    <button
      type="button"
      class="bar-row"
      classList={{ cut: props.isCut === true }}
      title={props.isCut ? 'a compaction made now would cut in or before this turn' : undefined}
      onClick={() => jumpTo(props.row)}
    >
      <span>{props.name}</span>
      <div class="bar-track">
        <div class="bar-size" classList={{ solid: !props.parts }} style={{ width: share(props.tokens, props.largest) }}>
          <Show when={props.parts}>{(parts) => <Stack parts={parts()} total={props.tokens} />}</Show>
        </div>
      </div>
      <span>{tokens(props.tokens)}</span>
    </button>
  )
}

function Tools(props: { readonly all: TokenView }): JSX.Element {
  return (
    <Show when={props.all.tools.length > 0}>
      <h2>
        By tool <span class="quiet">calls and results</span>
      </h2>
      <table class="numbers">
        <tbody>
          <For each={props.all.tools.slice(0, MOST)}>
            {(tool) => (
              <tr>
                <th scope="row">{tool.name}</th>
                <td>{tool.calls} ×</td>
                <td>{tokens(tool.tokens)}</td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </Show>
  )
}

/** Counts in files are as the agent wrote them: never added to estimates. */
function Recorded(props: { readonly all: TokenView }): JSX.Element {
  const last = () => props.all.recorded.at(-1)
  const output = () => props.all.recorded.reduce((total, { usage }) => total + usage.output, 0)
  return (
    <Show when={last()}>
      {(one) => (
        <>
          <h2>As recorded in the file</h2>
          <table class="numbers">
            <tbody>
              <tr>
                <th scope="row">requests</th>
                <td>{props.all.recorded.length}</td>
              </tr>
              <tr>
                <th scope="row">input of the last request</th>
                <td>{one().usage.input.toLocaleString('en')}</td>
              </tr>
              <tr>
                <th scope="row">of it from the cache</th>
                <td>{one().usage.cached.toLocaleString('en')}</td>
              </tr>
              <tr>
                <th scope="row">output of all requests</th>
                <td>{output().toLocaleString('en')}</td>
              </tr>
            </tbody>
          </table>
        </>
      )}
    </Show>
  )
}

/** In order, only the largest if there are many. */
function top<T>(list: readonly T[], size: (one: T) => number): readonly T[] {
  if (list.length <= MOST) return list
  const least = [...list].map(size).sort((a, b) => b - a)[MOST - 1]!
  return list.filter((one) => size(one) >= least).slice(0, MOST)
}

function sum(parts: readonly number[]): number {
  return parts.reduce((total, one) => total + one, 0)
}

function share(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Math.round((part / whole) * 1000) / 10} %`.replace(' %', '%')
}
