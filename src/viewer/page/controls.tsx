/** Small elements that all panels and pages use. */
import { type JSX, Show, splitProps } from 'solid-js'
import { jumpTo } from './route.ts'

interface ButtonProps extends JSX.ButtonHTMLAttributes<HTMLButtonElement> {
  readonly text: string
}

export function Button(props: ButtonProps): JSX.Element {
  const [own, attributes] = splitProps(props, ['text'])
  return (
    <button type="button" {...attributes}>
      {own.text}
    </button>
  )
}

/** A link to a row of the thread. */
export function RowLink(props: { readonly row: number; readonly text: string }): JSX.Element {
  return <Button class="link" text={props.text} onClick={() => jumpTo(props.row)} />
}

/** A button that shows more entries of a list. Hidden if no entry is left. */
export function More(props: { readonly left: number; readonly onMore: () => void }): JSX.Element {
  return (
    <Show when={props.left > 0}>
      <Button class="more" text={`${props.left} more`} onClick={props.onMore} />
    </Show>
  )
}

interface ChipProps {
  readonly tone: 'good' | 'quiet' | 'warn' | 'bad'
  readonly text: string
  /** Default: true. */
  readonly when?: boolean | undefined
}

export function Chip(props: ChipProps): JSX.Element {
  return (
    <Show when={props.when ?? true}>
      <span class={`chip ${props.tone}`}>{props.text}</span>
    </Show>
  )
}

interface FilterProps {
  readonly title: string
  readonly hint: string
  readonly value: string
  readonly onInput: (text: string) => void
}

export function Filter(props: FilterProps): JSX.Element {
  return (
    <input
      type="search"
      placeholder={props.hint}
      aria-label={props.title}
      value={props.value}
      onInput={({ target }) => props.onInput(target.value)}
    />
  )
}
