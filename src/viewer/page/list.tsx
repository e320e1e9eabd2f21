/**
 * A table of a page with its column heads.
 */
import { For, type JSX } from 'solid-js'

/** Its title (empty: a column of buttons), and the name of its class. */
export type Column = readonly [title: string, name?: string]

export function List(props: { readonly columns: readonly Column[]; readonly children: JSX.Element }): JSX.Element {
  return (
    <table class="list">
      <thead>
        <tr>
          <For each={props.columns}>
            {([title, name]) =>
              title === '' ? (
                <td />
              ) : (
                <th scope="col" class={name}>
                  {title}
                </th>
              )
            }
          </For>
        </tr>
      </thead>
      <tbody>{props.children}</tbody>
    </table>
  )
}
