/** Tables: the list of a page, and the numbers of a panel. */
import { For, type JSX, Show } from 'solid-js'

/** Its title (empty: a column of buttons), and the name of its class. */
export type Column = readonly [title: string, name?: string]

interface ListProps<T> {
  readonly columns: readonly Column[]
  readonly rows: readonly T[]
  /** Shown instead of a table without rows. */
  readonly empty: string
  readonly children: (row: T) => JSX.Element
}

export function List<T>(props: ListProps<T>): JSX.Element {
  return (
    <Show when={props.rows.length > 0} fallback={<p class="empty">{props.empty}</p>}>
      <table class="list">
        <thead>
          <tr>
            <For each={props.columns}>
              {([title, name]) => (
                <Show when={title} fallback={<td />}>
                  <th scope="col" class={name}>
                    {title}
                  </th>
                </Show>
              )}
            </For>
          </tr>
        </thead>
        <tbody>
          <For each={props.rows}>{props.children}</For>
        </tbody>
      </table>
    </Show>
  )
}

interface NumbersProps {
  readonly columns?: readonly string[]
  readonly rows: readonly (readonly [name: JSX.Element, ...numbers: readonly string[]])[]
  /** The last row is the sum of the others. */
  readonly hasSum?: boolean
}

export function Numbers(props: NumbersProps): JSX.Element {
  return (
    <table class="numbers">
      <Show when={props.columns}>
        <thead>
          <tr>
            <td />
            <For each={props.columns}>{(title) => <th scope="col">{title}</th>}</For>
          </tr>
        </thead>
      </Show>
      <tbody>
        <For each={props.rows}>
          {([name, ...numbers], i) => (
            <tr classList={{ sum: props.hasSum === true && i() === props.rows.length - 1 }}>
              <th scope="row">{name}</th>
              <For each={numbers}>{(number) => <td>{number}</td>}</For>
            </tr>
          )}
        </For>
      </tbody>
    </table>
  )
}

export function exact(count: number): string {
  return Math.round(count).toLocaleString('en')
}

/** At least two digits of a small cost. */
export function dollars(cost: number): string {
  return `$${cost >= 0.1 ? cost.toFixed(2) : cost.toPrecision(2)}`
}
