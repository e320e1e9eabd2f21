/**
 * The keys.
 */
import { For, type JSX } from 'solid-js'
import { Dialog } from './dialog.tsx'
import { setHelpOpen } from './layout.ts'

const KEYS = [
  ['j  k', 'next, previous message'],
  [']  [', 'next, previous turn'],
  ['n  N', 'next, previous finding'],
  ['e', 'expand the message'],
  ['r', 'raw JSON of the message'],
  ['/', 'find in all messages'],
  ['s', 'stored and next request side by side'],
  ['p', 'preview the repair'],
  ['u', 'undo'],
  ['b', 'blur content for screenshots'],
  ['t', 'light, dark'],
  ['1 – 5', 'findings, tokens, compaction, edits, explain'],
  ['?', 'this help'],
] as const

export function Help(): JSX.Element {
  return (
    <Dialog title="Keys" small onClose={() => setHelpOpen(false)}>
      <dl class="keys">
        <For each={KEYS}>
          {([key, says]) => (
            <div>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{says}</dd>
            </div>
          )}
        </For>
      </dl>
      <p class="quiet">Everything stays in this page: it sends no request to any other address.</p>
    </Dialog>
  )
}
