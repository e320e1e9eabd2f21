/**
 * The thread: a virtual list of rows, with the minimap as its scroll bar.
 */
import { createEffect, createSignal, type JSX, on, onCleanup, Show } from 'solid-js'
import { VList, type VListHandle } from 'virtua/solid'
import { markFound } from './find.tsx'
import { Minimap } from './minimap.tsx'
import { onJump, route, rowOf, setRoute } from './route.ts'
import { REASONS, RowView } from './row.tsx'
import { isUnfolded, overview, reveal, setActive, sideBySide, toggleFold, visible } from './state.ts'

const [range, setRange] = createSignal<readonly [number, number]>([0, 0])
let handle: VListHandle | undefined

/** The first place of the list that is on screen, and the last. */
export function rangeShown(): readonly [number, number] {
  return range()
}

export function scrollToRow(row: number, align: 'center' | 'nearest' = 'center'): void {
  const at = visible().indexOf(row)
  if (at >= 0) handle?.scrollToIndex(at, { align })
}

export function Thread(): JSX.Element {
  const update = () => {
    if (!handle) return
    const from = handle.findItemIndex(handle.scrollOffset)
    setRange([from, handle.findItemIndex(handle.scrollOffset + handle.viewportSize)])
    markFound()
  }
  onJump((row) => scrollToRow(row))
  createEffect(
    on([route, overview], ([where, all]) => {
      const row = all ? rowOf(where) : -1
      if (row < 0) return
      reveal(row)
      setActive(row)
      queueMicrotask(() => scrollToRow(row))
    }),
  )
  createEffect(on(visible, () => requestAnimationFrame(update)))
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
          onScroll={update}
        >
          {(item: number) => (item < 0 ? <FoldRow fold={-1 - item} /> : <RowView row={item} />)}
        </VList>
        <Minimap range={range()} onSeek={(at) => handle?.scrollToIndex(at, { align: 'start' })} />
      </div>
    </div>
  )
}

function FoldRow(props: { readonly fold: number }): JSX.Element {
  const fold = () => overview()?.folds[props.fold]
  return (
    <Show when={fold()}>
      {(one) => (
        <button
          type="button"
          class="fold"
          aria-expanded={isUnfolded(props.fold)}
          onClick={() => toggleFold(props.fold)}
        >
          {isUnfolded(props.fold) ? '▾' : '▸'} {one().end - one().start} records{' '}
          {REASONS[one().because] ?? one().because}: not in the next request
        </button>
      )}
    </Show>
  )
}
