/** The repair edit by edit, before and after. */
import { createResource, createSignal, For, type JSX } from 'solid-js'
import { client } from './client.ts'
import { Compared } from './compared.tsx'
import { More, RowLink } from './controls.tsx'
import { overview } from './opened.ts'

const PAGE = 20

export function EditsPanel(): JSX.Element {
  const [count, setCount] = createSignal(PAGE)
  const [edits] = createResource(
    () => [overview(), count()] as const,
    ([, limit]) => client.edits(limit),
  )
  const total = () => overview()?.edits ?? 0
  return (
    <div class="panel-body">
      <p class="quiet">
        {total() === 0 ? 'The repair changes nothing.' : `The repair makes ${total()} edits, in this order.`}
      </p>
      <For each={edits()}>
        {(edit, i) => (
          <section class="edit">
            <div class="finding-head">
              <span class="count">{i() + 1}</span>
              <span>{edit.what}</span>
              <RowLink row={edit.row} text={edit.place} />
            </div>
            <Compared difference={edit.difference} />
          </section>
        )}
      </For>
      <More left={total() - count()} onMore={() => setCount(count() + PAGE)} />
    </div>
  )
}
