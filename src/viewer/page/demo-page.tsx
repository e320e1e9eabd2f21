/**
 * The page of `suture serve --demo`: a broken history with the provider's rejection and its repair, and beside it the
 * conversation that the gateway records.
 */
import { createEffect, createResource, For, type JSX, on, Show } from 'solid-js'
import type { Demo, DemoStory } from '../demo-data.ts'
import { Button, Chip } from './controls.tsx'
import { Conversation } from './conversation.tsx'
import { call, sessionPath } from './gateway.ts'
import { sideBySide, toggleSideBySide } from './layout.ts'
import { arriving, lastEvent } from './live.ts'
import { LiveMark } from './live-mark.tsx'
import { errorCount, overview, repaired, setSession } from './opened.ts'
import { route, sessionLink } from './route.ts'
import { chooseTarget, openBytes, togglePreview, undoRepair } from './view-actions.ts'

/** Opens the history as a request body, with the stored and the next request side by side. */
async function open({ provider, model, body }: DemoStory): Promise<void> {
  setSession(undefined)
  await openBytes(`request to ${provider}.json`, new TextEncoder().encode(JSON.stringify(body)))
  await chooseTarget({ provider, model })
  if (!sideBySide()) toggleSideBySide()
}

export function DemoPage(): JSX.Element {
  const [demo] = createResource(async () => (await (await fetch('demo.json')).json()) as Demo)
  const story = () => demo()?.stories[Number(route().id ?? 0)]
  createEffect(on(story, (one) => one && void open(one)))
  return (
    <div class="demo">
      <nav class="demo-head" aria-label="Broken histories">
        <For each={demo()?.stories}>
          {(one, i) => (
            <a href={`#/demo/${i()}`} aria-current={one === story() ? 'page' : undefined}>
              {one.title}
            </a>
          )}
        </For>
      </nav>
      <Show when={story()}>{(one) => <Rejection story={one()} />}</Show>
      <div class="work">
        <Show when={overview()}>
          <Conversation />
        </Show>
        <Show when={demo()}>{(all) => <Recorded session={all().session} />}</Show>
      </div>
    </div>
  )
}

function Rejection(props: { readonly story: DemoStory }): JSX.Element {
  /** In the preview, or applied by the panel of findings. */
  const isRepaired = () => overview() !== undefined && errorCount() === 0
  const answer = () => (isRepaired() ? props.story.repaired : props.story.without)
  return (
    <section class="demo-head" aria-label="What the provider answers">
      <p role="status">
        <Chip tone={isRepaired() ? 'good' : 'bad'} text={`HTTP ${answer().status}`} /> {answer().text}
      </p>
      <Button
        class="primary"
        text={isRepaired() ? 'Undo the repair' : 'Repair'}
        onClick={() => void (isRepaired() && !repaired() ? undoRepair() : togglePreview())}
      />
      <span class="quiet">
        {isRepaired()
          ? ' Before and after, side by side. What the model got through the gateway is the next request.'
          : ' Without Suture the model gets nothing: the provider rejects the whole request.'}
      </span>
    </section>
  )
}

interface Message {
  readonly role: string
  readonly content?: unknown
  readonly tool_calls?: readonly { readonly function: { readonly name: string; readonly arguments: string } }[]
}

function textOf({ content, tool_calls: calls = [] }: Message): string {
  return [content, ...calls.map(({ function: { name, arguments: input } }) => `${name}(${input})`)].join(' ')
}

/** Read again after each request. */
function Recorded(props: { readonly session: string }): JSX.Element {
  const read = () => call<{ messages: readonly Message[] }>('GET', `${sessionPath(props.session)}/history`)
  const [history, { refetch }] = createResource(read)
  createEffect(on(lastEvent, (event) => event?.session === props.session && void refetch(), { defer: true }))
  return (
    <aside class="recorded" aria-label="Conversation through the gateway">
      <h2>
        <a href={sessionLink(props.session)}>A conversation through the gateway</a>{' '}
        <LiveMark isArriving={arriving() === props.session} otherwise="ended" />
      </h2>
      <p class="quiet">Its client presses Escape twice, and one reply breaks off. No request is rejected.</p>
      <ol tabindex="0" aria-label="Messages">
        <For each={history.latest?.messages}>
          {(message) => (
            <li class={message.role}>
              <b>{message.role}</b> {textOf(message)}
            </li>
          )}
        </For>
      </ol>
    </aside>
  )
}
