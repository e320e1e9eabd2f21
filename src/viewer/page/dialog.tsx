/** A modal dialog on the browser's own element, which keeps the focus inside and closes with Escape. */
import { type JSX, onMount } from 'solid-js'
import { Button } from './controls.tsx'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: JSX.Element
  readonly small?: boolean
}

export function Dialog(props: DialogProps): JSX.Element {
  let element: HTMLDialogElement | undefined
  onMount(() => element?.showModal())
  return (
    <dialog
      ref={element}
      class="dialog"
      classList={{ small: props.small === true }}
      aria-label={props.title}
      onClose={() => props.onClose()}
    >
      <header>
        <h2>{props.title}</h2>
        <Button text="✕" aria-label="Close" onClick={() => element?.close()} />
      </header>
      {props.children}
    </dialog>
  )
}
