/** Two texts as one, with removed and added parts marked. */
import { For, type JSX, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import type { Stretch } from '../worker/protocol.ts'

const ELEMENTS = { '=': ['span'], '-': ['del', 'removed'], '+': ['ins', 'added'] } as const
/** Unchanged text between two changes is shortened to its ends. */
const CONTEXT = 300

export function Compared(props: { readonly difference: readonly Stretch[] | undefined }): JSX.Element {
  return (
    <Show when={props.difference} fallback={<div class="quiet">comparing…</div>}>
      <pre class="compared blurs">
        <For each={props.difference}>
          {([kind, text]) => {
            const [element, title] = ELEMENTS[kind]
            return (
              <Dynamic component={element} title={title}>
                {kind === '=' ? shortened(text) : text}
              </Dynamic>
            )
          }}
        </For>
      </pre>
    </Show>
  )
}

function shortened(text: string): string {
  return text.length <= 2 * CONTEXT ? text : `${text.slice(0, CONTEXT)}\n   ⋯\n${text.slice(-CONTEXT)}`
}
