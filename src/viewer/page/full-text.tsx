/** The whole text of a part, or a message as JSON, in pages: a text of many megabytes must not block the page. */
import { createSignal, type JSX, Show } from 'solid-js'
import type { RowSide } from '../worker/protocol.ts'
import { client } from './client.ts'
import { Button } from './controls.tsx'
import { copyText } from './copy-out.ts'
import { Dialog } from './dialog.tsx'
import { size } from './part.tsx'
import { attempt } from './status.ts'

const PAGE = 60_000
const [text, setText] = createSignal<{ readonly title: string; readonly text: string }>()
const [page, setPage] = createSignal(0)

export function showFullText(row: number, side: RowSide, part: number): void {
  void load('Whole text', () => client.fullText(row, side, part))
}

export function showRaw(row: number, side: RowSide): void {
  void load(side === 'stored' ? 'JSON as stored' : 'JSON as sent', () => client.raw(row, side))
}

async function load(title: string, get: () => Promise<string>): Promise<void> {
  const got = await attempt(get)
  if (got === undefined) return
  setPage(0)
  setText({ title, text: got })
}

export function FullText(): JSX.Element {
  const pages = () => Math.ceil((text()?.text.length ?? 0) / PAGE)
  return (
    <Show when={text()} keyed>
      {(shown) => (
        <Dialog title={`${shown.title}, ${size(shown.text.length)}`} onClose={() => setText(undefined)}>
          <div class="dialog-tools">
            <Button text="Copy" onClick={() => void attempt(() => copyText(shown.text))} />
            <Show when={pages() > 1}>
              <Button text="←" disabled={page() === 0} onClick={() => setPage(page() - 1)} />
              <span>
                page {page() + 1} of {pages()}
              </span>
              <Button text="→" disabled={page() >= pages() - 1} onClick={() => setPage(page() + 1)} />
            </Show>
          </div>
          <pre class="full blurs" dir="auto" tabindex="0">
            {shown.text.slice(page() * PAGE, (page() + 1) * PAGE)}
          </pre>
        </Dialog>
      )}
    </Show>
  )
}
