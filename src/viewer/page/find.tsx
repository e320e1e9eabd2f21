/**
 * Finds a text in all rows. The worker searches; matches in mounted rows are marked by ranges, which change no element.
 */
import { createEffect, createSignal, type JSX, onMount, Show } from 'solid-js'
import { client } from './client.ts'
import { Button } from './controls.tsx'
import { findOpen, setFindOpen } from './layout.ts'
import { jumpTo } from './route.ts'
import { hits, setHits } from './selection.ts'

const [wanted, setWanted] = createSignal('')
const [at, setAt] = createSignal(0)
let timer: ReturnType<typeof setTimeout> | undefined

async function search(text: string): Promise<void> {
  const found = await client.find(text)
  if (text !== wanted()) return
  setHits(found)
  setAt(0)
  if (found[0] !== undefined) jumpTo(found[0])
  markFound()
}

function nextHit(step: number): void {
  const found = hits()
  if (found.length === 0) return
  setAt((at() + step + found.length) % found.length)
  jumpTo(found[at()]!)
}

/** Marks the text in the rows that are mounted. */
export function markFound(): void {
  if (!('highlights' in CSS)) return
  const text = wanted().toLowerCase()
  if (!findOpen() || text === '') {
    if (CSS.highlights.has('found')) CSS.highlights.delete('found')
    return
  }
  requestAnimationFrame(() => {
    const ranges: Range[] = []
    for (const element of document.querySelectorAll('#rows .text')) {
      for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) addRanges(node, text, ranges)
    }
    CSS.highlights.set('found', new Highlight(...ranges))
  })
}

function addRanges(node: Node, text: string, ranges: Range[]): void {
  const content = (node.textContent ?? '').toLowerCase()
  const next = (from: number) => content.indexOf(text, from)
  for (let from = next(0); from >= 0 && ranges.length < 1000; from = next(from + text.length)) {
    const range = new Range()
    range.setStart(node, from)
    range.setEnd(node, Math.min(from + text.length, node.textContent!.length))
    ranges.push(range)
  }
}

export function FindBar(): JSX.Element {
  let input: HTMLInputElement | undefined
  onMount(() => input?.focus())
  createEffect(() => {
    const text = wanted()
    clearTimeout(timer)
    timer = setTimeout(() => void search(text), 120)
  })
  const close = () => {
    setFindOpen(false)
    setHits([])
    markFound()
  }
  return (
    <search class="find">
      <input
        ref={input}
        type="search"
        placeholder="Find in all messages"
        aria-label="Find in all messages"
        value={wanted()}
        onInput={({ target }) => setWanted(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') nextHit(event.shiftKey ? -1 : 1)
          if (event.key === 'Escape') close()
        }}
      />
      <span class="quiet" aria-live="polite">
        <Show when={wanted() !== ''}>
          {hits().length === 0 ? 'nothing found' : `${at() + 1} of ${hits().length} messages`}
        </Show>
      </span>
      <Button text="↑" aria-label="Previous" onClick={() => nextHit(-1)} />
      <Button text="↓" aria-label="Next" onClick={() => nextHit(1)} />
      <Button text="✕" aria-label="Close find" onClick={close} />
    </search>
  )
}
