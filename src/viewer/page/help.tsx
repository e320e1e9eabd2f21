/** The keys. */
import { For, type JSX } from 'solid-js'
import { Dialog } from './dialog.tsx'
import { BINDINGS } from './keys.ts'
import { setHelpOpen } from './layout.ts'

export function Help(): JSX.Element {
  return (
    <Dialog title="Keys" small onClose={() => setHelpOpen(false)}>
      <dl class="keys">
        <For each={BINDINGS}>
          {({ keys, help }) => (
            <div>
              <dt>
                <kbd>{keys.length > 2 ? `${keys[0]} – ${keys.at(-1)}` : [...keys].join('  ')}</kbd>
              </dt>
              <dd>{help}</dd>
            </div>
          )}
        </For>
      </dl>
      <p class="quiet">Everything stays in this page: it sends no request to any other address.</p>
    </Dialog>
  )
}
