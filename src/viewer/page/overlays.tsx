/** Overlays of the page: whole texts, help, the dialog for the gateway's key, and notices. */
import { type JSX, Show } from 'solid-js'
import { Dialog } from './dialog.tsx'
import { FullText } from './full-text.tsx'
import { needsKey, useKey } from './gateway.ts'
import { Help } from './help.tsx'
import { helpOpen } from './layout.ts'
import { follow } from './live.ts'
import { notice } from './status.ts'

export function Overlays(): JSX.Element {
  let input: HTMLInputElement | undefined
  return (
    <>
      <FullText />
      <Show when={helpOpen()}>
        <Help />
      </Show>
      <Show when={needsKey()}>
        <Dialog title="Key of this gateway" small onClose={() => {}}>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              useKey(input!.value)
              follow()
            }}
          >
            <label class="field">
              <span>It is kept in memory only, until the page is closed.</span>
              <input ref={input} type="password" autocomplete="off" required />
            </label>
            <button type="submit" class="primary">
              Use
            </button>
          </form>
        </Dialog>
      </Show>
      <div class="notice" role="status">
        {notice()}
      </div>
    </>
  )
}
