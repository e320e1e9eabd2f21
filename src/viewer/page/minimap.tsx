/**
 * The whole thread in one narrow picture: turns, roles, tokens, findings, compactions, differences. It is also the
 * scroll bar.
 */
import { createEffect, createMemo, createSignal, type JSX, onCleanup, onMount } from 'solid-js'
import { FLAG } from '../worker/protocol.ts'
import { overview } from './opened.ts'
import { cutRow, hits, visible } from './selection.ts'
import { dark, palette } from './theme.ts'

const WIDTH = 64

interface MinimapProps {
  /** Places in the list of visible rows. */
  readonly range: readonly [number, number]
  readonly onSeek: (at: number) => void
}

export function Minimap(props: MinimapProps): JSX.Element {
  let canvas: HTMLCanvasElement | undefined
  let box: HTMLDivElement | undefined
  let view: HTMLDivElement | undefined
  const offsets = createMemo(offsetsOf)
  // Read only when it changes: reading it while rows are mounted would force a layout in every frame.
  const [height, setHeight] = createSignal(0)
  createEffect(() => {
    // A new theme changes the colors of the style sheet.
    dark()
    if (canvas) paint(canvas, height(), offsets())
  })
  createEffect(() => {
    const sums = offsets()
    const total = sums.at(-1) || 1
    const [from, to] = props.range
    const high = height()
    const top = (sums[from] ?? 0) / total
    const bottom = (sums[to + 1] ?? total) / total
    view?.style.setProperty('transform', `translateY(${Math.round(top * high)}px)`)
    view?.style.setProperty('height', `${Math.max(10, Math.round((bottom - top) * high))}px`)
  })
  onMount(() => {
    const observer = new ResizeObserver(([entry]) => setHeight(entry?.contentRect.height ?? 0))
    observer.observe(box!)
    onCleanup(() => observer.disconnect())
  })
  const seek = (event: PointerEvent) => {
    if (event.buttons !== 1 || !box) return
    const share = (event.clientY - box.getBoundingClientRect().top) / box.clientHeight
    props.onSeek(placeAt(offsets(), share))
  }
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list beside it has the focus and the keys
    <div
      ref={box}
      class="minimap"
      role="scrollbar"
      aria-controls="rows"
      aria-orientation="vertical"
      aria-label="Minimap"
      aria-valuemin={0}
      aria-valuemax={Math.max(0, visible().length - 1)}
      aria-valuenow={props.range[0]}
      tabindex="-1"
      onPointerDown={(event) => {
        box!.setPointerCapture(event.pointerId)
        seek(event)
      }}
      onPointerMove={seek}
    >
      <canvas ref={canvas} />
      <div ref={view} class="minimap-view" />
    </div>
  )
}

/** Where each visible row begins: a row with more tokens is higher, but not in proportion. */
function offsetsOf(): Float64Array {
  const all = overview()
  const rows = visible()
  const sums = new Float64Array(rows.length + 1)
  rows.forEach((row, i) => {
    sums[i + 1] = sums[i]! + (row < 0 || !all ? 1.5 : 1 + Math.log2(1 + all.tokens[row]! / 16))
  })
  return sums
}

function placeAt(sums: Float64Array, share: number): number {
  const wanted = Math.min(1, Math.max(0, share)) * (sums.at(-1) ?? 0)
  let [low, high] = [0, sums.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sums[middle + 1]! <= wanted) low = middle + 1
    else high = middle
  }
  return Math.min(low, Math.max(0, sums.length - 2))
}

function paint(canvas: HTMLCanvasElement, height: number, sums: Float64Array): void {
  const all = overview()
  const context = canvas.getContext('2d')
  if (!all || !context || height === 0) return
  const scale = devicePixelRatio || 1
  canvas.width = WIDTH * scale
  canvas.height = height * scale
  context.scale(scale, scale)
  const colors = palette()
  const total = sums.at(-1) || 1
  const found = new Set(hits())
  let lastMark = -1
  const mark = (color: string, [x, wide]: readonly [number, number], y: number, high: number) => {
    context.fillStyle = color
    context.fillRect(x, y, wide, high)
  }
  visible().forEach((row, i) => {
    const y = (sums[i]! / total) * height
    const high = Math.max(0.75, ((sums[i + 1]! - sums[i]!) / total) * height)
    const gap = high > 3 ? 1 : 0
    const flags = row < 0 ? FLAG.excluded | (all.flags[all.folds[-1 - row]!.start]! & FLAG.fork) : all.flags[row]!
    const wide = row < 0 ? 20 : 6 + Math.min(34, Math.log2(1 + all.tokens[row]!) * 2.8)
    context.fillStyle = row < 0 || flags & FLAG.excluded ? colors.excluded : colors.roles[all.roles[row]!]!
    context.fillRect(6, y, wide, high - gap)
    if (flags & FLAG.differs) mark(colors.differs, [0, 4], y, Math.max(2, high - gap))
    if (flags & FLAG.turn && y - lastMark > 3) {
      mark(colors.line, [4, 44], y, 0.75)
      lastMark = y
    }
    if (flags & FLAG.compaction) mark(colors.compaction, [0, WIDTH], y, 2)
    if (flags & FLAG.fork) fork(context, colors.fork, y)
    if (row >= 0 && row === cutRow()) mark(colors.compaction, [0, WIDTH], y - 1, 1)
    if (row >= 0 && found.has(row)) mark(colors.found, [44, 8], y, Math.max(2, high - gap))
    if (flags & FLAG.warning) mark(colors.warning, [54, 10], y, Math.max(3, high - gap))
    if (flags & (FLAG.error | FLAG.open)) mark(colors.error, [54, 10], y, Math.max(3, high - gap))
  })
}

/** A line that branches off to the right. */
function fork(context: CanvasRenderingContext2D, color: string, y: number): void {
  context.strokeStyle = color
  context.lineWidth = 1.5
  context.beginPath()
  context.moveTo(40, y - 1)
  context.lineTo(40, y + 3)
  context.lineTo(50, y + 7)
  context.stroke()
}
