/** One part of a message: text, call, result, reasoning or media. Content is only set as text, never as HTML. */
import { createSignal, type JSX, Show } from 'solid-js'
import type { PartView } from '../worker/protocol.ts'
import { Button, Chip, RowLink } from './controls.tsx'

/** Lines that are shown before a row is expanded. */
const FEW: Readonly<Record<PartView['kind'], number>> = {
  text: 24,
  call: 6,
  result: 6,
  reasoning: 2,
  media: 2,
  opaque: 6,
}

interface PartProps {
  readonly part: PartView
  readonly expanded: boolean
  readonly onFull: () => void
}

export function PartCard(props: PartProps): JSX.Element {
  const [open, setOpen] = createSignal(false)
  const isOpen = () => open() || props.expanded
  const text = () => (isOpen() ? props.part.text : firstLines(props.part.text, FEW[props.part.kind]))
  const hidden = () => props.part.text.length - text().length
  const { part } = props
  const plain = part.kind === 'text'
  return (
    <div
      class={`part ${part.kind}`}
      classList={{
        open: part.pair === 'open',
        pending: part.pair === 'pending',
        loose: part.pair === 'loose' || part.pair === 'duplicate',
        failed: part.failed === true,
        synthetic: part.synthetic === true,
        batch: part.batch !== undefined,
      }}
    >
      <Show when={!plain}>
        <PartHead part={part} />
      </Show>
      <Show when={part.image}>
        <img class="picture blurs" src={part.image!} alt={part.text} />
      </Show>
      <Show when={text() !== ''}>
        <pre class="text blurs" classList={{ mono: !plain && part.kind !== 'reasoning' }} dir="auto">
          {text()}
        </pre>
      </Show>
      <Show when={hidden() > 0 || (isOpen() && part.more > 0)}>
        <Button
          class="more"
          text={
            hidden() > 0
              ? `${lineCount(part.text) - lineCount(text())} more lines`
              : `show all, ${size(part.text.length + part.more)}`
          }
          onClick={() => (hidden() > 0 ? setOpen(true) : props.onFull())}
        />
      </Show>
      <Show when={part.pair === 'open'}>
        <div class="open-end">no result: the call is open</div>
      </Show>
      <Show when={part.pair === 'pending'}>
        <div class="open-end pending">no result yet</div>
      </Show>
    </div>
  )
}

function PartHead(props: { readonly part: PartView }): JSX.Element {
  const { kind, id, batch, server, pair, failed, synthetic, other = -1, tokens: count } = props.part
  return (
    <div class="part-head">
      <span class="part-name">{titleOf(props.part)}</span>
      <Show when={id}>
        <code class="id">{shortId(id!)}</code>
      </Show>
      <Chip tone="quiet" text={`parallel ${batch?.join('/')}`} when={batch !== undefined} />
      <Chip tone="quiet" text="run by the provider" when={server ?? false} />
      <Chip tone="bad" text="no call has this id" when={pair === 'loose'} />
      <Chip tone="bad" text="second result of one call" when={pair === 'duplicate'} />
      <Chip tone="warn" text="failed" when={failed ?? false} />
      <Chip tone="quiet" text="placeholder" when={synthetic ?? false} />
      <Show when={other >= 0}>
        <RowLink row={other} text={kind === 'call' ? '↓ result' : '↑ call'} />
      </Show>
      <span class="count">{tokens(count)}</span>
    </div>
  )
}

function titleOf({ kind, name, type }: PartView): string {
  if (kind === 'call') return name ?? '(no name)'
  if (kind === 'result') return `↳ ${name ?? 'result'}`
  return kind === 'opaque' ? type : kind
}

function firstLines(text: string, count: number): string {
  let at = -1
  for (let line = 0; line < count; line++) {
    at = text.indexOf('\n', at + 1)
    if (at < 0) return text.length > count * 240 ? text.slice(0, count * 240).toWellFormed() : text
  }
  return text.slice(0, Math.min(at, count * 240)).toWellFormed()
}

function lineCount(text: string): number {
  return Math.max(text.split('\n').length, Math.ceil(text.length / 240))
}

export function shortId(id: string): string {
  return id.length > 16 ? `${id.slice(0, 10)}…${id.slice(-4)}` : id
}

export function tokens(count: number): string {
  if (count >= 1_000_000) return `${(count / 1_000_000).toFixed(1)}M tok`
  return count >= 10_000 ? `${Math.round(count / 1000)}k tok` : `${Math.round(count)} tok`
}

export function size(characters: number): string {
  if (characters >= 1_048_576) return `${(characters / 1_048_576).toFixed(1)} MB`
  return characters >= 1024 ? `${Math.round(characters / 1024)} kB` : `${characters} characters`
}

export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}
