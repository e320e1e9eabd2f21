/**
 * Two texts as one, with what was removed and what was added.
 */
import { createResource, For, type JSX, Show } from 'solid-js'
import type { Stretch } from '../worker/protocol.ts'

const NAMES = { '=': 'kept', '-': 'removed', '+': 'added' } as const
/** Unchanged text between two changes is shortened to its ends. */
const CONTEXT = 300

export function Compared(props: { readonly load: () => Promise<readonly Stretch[]> }): JSX.Element {
  const [stretches] = createResource(() => props.load())
  return (
    <Show when={stretches()} fallback={<div class="quiet">comparing…</div>}>
      <pre class="compared blurs">
        <For each={stretches()}>
          {([kind, text]) => {
            const shown = kind === '=' ? shortened(text) : text
            return kind === '=' ? (
              <span>{shown}</span>
            ) : kind === '+' ? (
              <ins title={NAMES[kind]}>{shown}</ins>
            ) : (
              <del title={NAMES[kind]}>{shown}</del>
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
