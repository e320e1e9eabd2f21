/**
 * Of a session of the gateway: a mark at messages that took the place of others, with those, and the branches that go on
 * beside the session.
 */
import { createEffect, createSignal, For, type JSX, Show } from 'solid-js'
import { Button } from './controls.tsx'
import { call, sessionPath } from './gateway.ts'
import { overview, session } from './opened.ts'
import { sessionLink } from './route.ts'
import { attempt } from './status.ts'

interface LoggedMessage {
  readonly message: unknown
  /** The position of the record by which it left the conversation. */
  readonly replacedAt?: number
  /** The client sent it with one request only. */
  readonly note?: true
}

interface Branch {
  readonly id: string
  readonly from: string
  readonly at: number
}

const [branches, setBranches] = createSignal<readonly Branch[]>([])
/** By the index of a stored message: messages that it took the place of. */
const [earlier, setEarlier] = createSignal<ReadonlyMap<number, readonly LoggedMessage[]>>(new Map())

/** Reads them again whenever the session is shown again. */
export function followVersions(): void {
  createEffect(() => {
    const id = overview() && session()
    if (id !== undefined) void attempt(() => readVersions(id))
  })
}

async function readVersions(id: string): Promise<void> {
  const { messages } = await call<{ messages: readonly LoggedMessage[] }>('GET', `${sessionPath(id)}/revisions`)
  const found = new Map<number, LoggedMessage[]>()
  let index = 0
  for (const one of messages) {
    if (one.replacedAt === undefined) index++
    else found.set(index, [...(found.get(index) ?? []), one])
  }
  setEarlier(found)
  setBranches((await call<{ branches: readonly Branch[] }>('GET', `${sessionPath(id)}/branches`)).branches)
}

export function Versions(props: { readonly row: number }): JSX.Element {
  const [isOpen, open] = createSignal(false)
  const found = () => (session() === undefined ? [] : (earlier().get(overview()?.stored[props.row] ?? -1) ?? []))
  const count = () => new Set(found().map(({ replacedAt }) => replacedAt)).size + 1
  return (
    <Show when={found().length > 0}>
      <div class="versions">
        <Button class="link" text={`version ${count()} of ${count()}`} onClick={() => open(!isOpen())} />
        <Show when={isOpen()}>
          <ol class="steps">
            <For each={found()}>
              {({ message, note, replacedAt }) => (
                <li class="quiet">
                  {note ? 'sent once' : `until record ${replacedAt}`}: {textOf(message)}
                </li>
              )}
            </For>
          </ol>
        </Show>
      </div>
    </Show>
  )
}

function textOf(message: unknown): string {
  const { content } = message as { content?: unknown }
  return (typeof content === 'string' ? content : JSON.stringify(message)).slice(0, 2000)
}

export function Branches(): JSX.Element {
  return (
    <Show when={session() !== undefined && branches().length > 0}>
      <h2>Branches</h2>
      <ol class="steps">
        <For each={branches()}>
          {({ id, from, at }) => (
            <li>
              <a href={sessionLink(id)}>{id}</a>
              <p class="quiet">{at === 0 ? `beside ${from}` : `from ${from}, record ${at}`}</p>
            </li>
          )}
        </For>
      </ol>
    </Show>
  )
}
