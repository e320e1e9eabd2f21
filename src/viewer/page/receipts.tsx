/**
 * Past compactions: of a session of the gateway by the receipts in its log, of a file by the boundaries that the agent
 * wrote.
 */
import { createResource, For, type JSX, Show } from 'solid-js'
import type { LoggedCompaction } from '../../strategies/receipt.ts'
import { Chip, RowLink } from './controls.tsx'
import { call, sessionPath } from './gateway.ts'
import { overview, session } from './opened.ts'
import { tokens } from './part.tsx'
import { timeOf } from './time.ts'

export function Receipts(): JSX.Element {
  const [logged] = createResource(
    () => (session() === undefined ? undefined : ([session()!, overview()] as const)),
    async ([id]) => {
      const answer = await call<{ compactions: readonly LoggedCompaction[] }>('GET', `${sessionPath(id)}/compactions`)
      return answer.compactions
    },
  )
  const inFile = () => overview()?.compactions ?? []
  return (
    <Show when={(logged.latest?.length ?? 0) + inFile().length > 0}>
      <h2>Past compactions</h2>
      <ol class="steps receipts">
        <For each={inFile()}>
          {({ row, about }) => (
            <li>
              <RowLink row={row} text={about} />
            </li>
          )}
        </For>
        <For each={logged.latest}>{(one) => <ReceiptItem logged={one} />}</For>
      </ol>
    </Show>
  )
}

function ReceiptItem(props: { readonly logged: LoggedCompaction }): JSX.Element {
  const { receipt, at, undone } = props.logged
  return (
    <li>
      <b>
        {tokens(receipt.before)} → {tokens(receipt.after)}
      </b>
      , {receipt.messages.before} → {receipt.messages.after} messages <Chip tone="quiet" text="undone" when={undone} />
      <p class="quiet">
        {receipt.strategies.join(', ')}
        {at === undefined ? '' : ` · ${timeOf(Date.parse(at))}`} · record {props.logged.position}
      </p>
    </li>
  )
}
