/** The repair message by message, before and after. */
import { createResource, createSignal, For, type JSX, Show } from 'solid-js'
import { client } from './client.ts'
import { Compared } from './compared.tsx'
import { More, RowLink } from './controls.tsx'
import { overview } from './opened.ts'
import { counted } from './part.tsx'

const PAGE = 20

export function EditsPanel(): JSX.Element {
  const [count, setCount] = createSignal(PAGE)
  const [edits] = createResource(
    () => [overview(), count()] as const,
    ([, limit]) => client.edits(limit),
  )
  const total = () => edits()?.total ?? 0
  return (
    <div class="panel-body">
      <p class="quiet">
        {edits() === undefined ? 'comparing…' : total() === 0 ? 'The repair changes nothing.' : changesText(total())}
      </p>
      <For each={edits()?.edits}>
        {(edit, i) => (
          <section class="edit">
            <div class="finding-head">
              <span class="count">{i() + 1}</span>
              <span>{edit.what}</span>
              <Show when={edit.row >= 0} fallback={<span class="place">{edit.place}</span>}>
                <RowLink row={edit.row} text={edit.place} />
              </Show>
            </div>
            <Compared difference={edit.difference} />
          </section>
        )}
      </For>
      <More left={total() - count()} onMore={() => setCount(count() + PAGE)} />
    </div>
  )
}

function changesText(total: number): string {
  return `The repair makes ${counted(total, 'change')}, each with its text before and after.`
}
