/**
 * The repair edit by edit, before and after.
 */
import { createResource, createSignal, For, type JSX, Show } from 'solid-js'
import { client } from './client.ts'
import { Compared } from './compared.tsx'
import { overview } from './opened.ts'
import { jumpTo } from './route.ts'

const PAGE = 20

export function EditsPanel(): JSX.Element {
  const [count, setCount] = createSignal(PAGE)
  const [edits] = createResource(
    () => [overview(), count()] as const,
    ([, limit]) => client.edits(limit),
  )
  return (
    <div class="panel-body">
      <p class="quiet">
        {overview()?.edits === 0
          ? 'The repair changes nothing.'
          : `The repair makes ${overview()?.edits} edits, in this order.`}
      </p>
      <For each={edits()}>
        {(edit, i) => (
          <section class="edit">
            <div class="finding-head">
              <span class="count">{i() + 1}</span>
              <span>{edit.what}</span>
              <button type="button" class="link" onClick={() => jumpTo(edit.row)}>
                {edit.place}
              </button>
            </div>
            <Compared load={() => client.difference(edit.before, edit.after)} />
          </section>
        )}
      </For>
      <Show when={(overview()?.edits ?? 0) > count()}>
        <button type="button" class="more" onClick={() => setCount(count() + PAGE)}>
          {overview()!.edits - count()} more
        </button>
      </Show>
    </div>
  )
}
