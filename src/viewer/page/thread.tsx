/** The thread: a virtual list of rows, with the minimap as its scroll bar. */
import { createEffect, createSignal, type JSX, on, onCleanup, onMount, Show } from 'solid-js'
import { VList, type VListHandle } from 'virtua/solid'
import { Button } from './controls.tsx'
import { markFound } from './find.tsx'
import { sideBySide } from './layout.ts'
import { Minimap } from './minimap.tsx'
import { overview, session } from './opened.ts'
import { route, rowOf, setRoute, setScroll } from './route.ts'
import { RowView, reasonOf } from './row.tsx'
import { setOnScreen } from './rows-store.ts'
import { reveal, setActive, unfolded, visible } from './selection.ts'

/** The first place of the list that is on screen, and the last. */
const [range, setRange] = createSignal<readonly [number, number]>([0, 0])

export { range }

let handle: VListHandle | undefined

export function scrollToRow(row: number, align: 'center' | 'nearest' = 'center'): void {
  const at = visible().indexOf(row)
  if (at >= 0) handle?.scrollToIndex(at, { align })
}

/** Whether the end of a live session stays on screen: from its opening until the user scrolls up. */
const [following, setFollowing] = createSignal(false)
/** Rows that have arrived below the screen. */
const [unseen, setUnseen] = createSignal(0)

function scrollToEnd(): void {
  handle?.scrollToIndex(visible().length - 1, { align: 'end' })
}

function followEnd(): void {
  setFollowing(true)
  scrollToEnd()
}

let lastOffset = 0

/** Reads the rows on screen. The list grows when rows are measured, so only scrolling up ends following. */
function updateRange(scrolled = false): void {
  if (!handle) return
  const { scrollOffset, viewportSize, scrollSize } = handle
  const [from, to] = [handle.findItemIndex(scrollOffset), handle.findItemIndex(scrollOffset + viewportSize)]
  setRange([from, to])
  setOnScreen(placeOf(from), placeOf(to))
  const atEnd = scrollOffset + viewportSize >= scrollSize - 8
  if (atEnd) {
    setUnseen(0)
    setFollowing(true)
  } else if (scrolled && scrollOffset < lastOffset - 1) setFollowing(false)
  lastOffset = scrollOffset
  markFound()
}

/** A session opens at its end and follows new rows from there. Elsewhere they are counted, and nothing moves. */
function followSession(): void {
  createEffect(
    on([overview, session], ([now, id], before) => {
      const more = (now?.count ?? 0) - (before?.[0]?.count ?? 0)
      if (before?.[1] !== id) setFollowing(id !== undefined && rowOf(route()) < 0)
      if (id === undefined || before?.[1] !== id || more <= 0) setUnseen(0)
      else if (!following()) setUnseen(unseen() + more)
      if (id !== undefined && following()) requestAnimationFrame(scrollToEnd)
    }),
  )
}

/** Scrolls to the row that the address names: in a live session once, not again for each new record. */
function scrollToRoute(): void {
  let placed: readonly unknown[] = []
  createEffect(
    on([route, overview], ([where, all]) => {
      const row = all ? rowOf(where) : -1
      if (row < 0 || (session() !== undefined && placed[0] === where && placed[1] === session())) return
      placed = [where, session()]
      reveal(row)
      setActive(row)
      queueMicrotask(() => scrollToRow(row))
    }),
  )
}

/** The rows that fit on the screen are known only when the list has its size. The list grows when rows are measured. */
function observeSize(): void {
  const observer = new ResizeObserver(() =>
    requestAnimationFrame(() => {
      updateRange()
      if (session() !== undefined && following()) scrollToEnd()
    }),
  )
  const rows = document.querySelector('#rows')!
  observer.observe(rows)
  if (rows.firstElementChild) observer.observe(rows.firstElementChild)
  onCleanup(() => observer.disconnect())
}

export function Thread(): JSX.Element {
  setFollowing(false)
  setUnseen(0)
  lastOffset = 0
  followSession()
  setScroll((row) => scrollToRow(row))
  scrollToRoute()
  createEffect(on(visible, () => requestAnimationFrame(() => updateRange())))
  onMount(observeSize)
  onCleanup(() => {
    handle = undefined
    setRoute(route())
  })
  return (
    <div class="thread" id="thread">
      <Show when={sideBySide()}>
        <div class="columns" aria-hidden="true">
          <span>stored</span>
          <span>next request</span>
        </div>
      </Show>
      <div class="thread-body">
        <VList
          data={visible()}
          ref={(got) => {
            handle = got
          }}
          class="rows"
          id="rows"
          role="feed"
          aria-label="Conversation"
          tabindex="0"
          bufferSize={600}
          onScroll={() => updateRange(true)}
          onScrollEnd={() => updateRange(true)}
        >
          {(item: number) => (item < 0 ? <FoldRow fold={-1 - item} /> : <RowView row={item} />)}
        </VList>
        <Show when={session() !== undefined && !following()}>
          <Button
            class="pill latest"
            classList={{ unseen: unseen() > 0 }}
            text={`Jump to latest${unseen() > 0 ? ` (${unseen()} new)` : ''} ↓`}
            onClick={followEnd}
          />
        </Show>
        <Minimap range={range()} onSeek={(at) => handle?.scrollToIndex(at, { align: 'start' })} />
      </div>
    </div>
  )
}

/** The row at a place of the list; of a fold its first. */
function placeOf(at: number): number {
  const item = visible()[at] ?? 0
  return item < 0 ? (overview()?.folds[-1 - item]?.start ?? 0) : item
}

function FoldRow(props: { readonly fold: number }): JSX.Element {
  const fold = () => overview()?.folds[props.fold]
  return (
    <Show when={fold()}>
      {(one) => (
        <button
          type="button"
          class="fold"
          aria-expanded={unfolded.has(props.fold)}
          onClick={() => unfolded.toggle(props.fold)}
        >
          {unfolded.has(props.fold) ? '▾' : '▸'} {one().end - one().start} records {reasonOf(one().because)}: not in the
          next request
        </button>
      )}
    </Show>
  )
}
