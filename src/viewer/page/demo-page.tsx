/**
 * The page of `suture serve --demo`: a broken history with the provider's rejection and its repair, and beside it the
 * conversation that the gateway records.
 */
import { createEffect, createResource, createSignal, For, type JSX, on, onMount, Show } from 'solid-js'
import { Button, Chip } from './controls.tsx'
import { Conversation } from './conversation.tsx'
import { call, sessionPath } from './gateway.ts'
import { sideBySide, toggleSideBySide } from './layout.ts'
import { arriving, lastEvent } from './live.ts'
import { errorCount, overview, repaired, setSession } from './opened.ts'
import { route, sessionLink } from './route.ts'
import { attempt } from './status.ts'
import { chooseTarget, openBytes, togglePreview, undoRepair } from './view-actions.ts'

interface Answer {
  readonly status: number
  readonly text: string
}

interface Story {
  readonly title: string
  readonly provider: string
  readonly model: string
  readonly body: unknown
  readonly without: Answer
  readonly repaired: Answer
}

interface Demo {
  readonly session: string
  readonly stories: readonly Story[]
}

const [demo, setDemo] = createSignal<Demo>()
const chosen = () => demo()?.stories[Number(route().id ?? 0)]

/** Opens the chosen history as a request body, with the stored and the next request side by side. */
async function open({ provider, model, body }: Story): Promise<void> {
  setSession(undefined)
  await openBytes(`request to ${provider}.json`, new TextEncoder().encode(JSON.stringify(body)))
  await chooseTarget({ provider, model })
  if (!sideBySide()) toggleSideBySide()
}

export function DemoPage(): JSX.Element {
  onMount(() => void attempt(async () => setDemo((await (await fetch('demo.json')).json()) as Demo)))
  createEffect(on(chosen, (story) => story && void open(story)))
  return (
    <div class="demo">
      <Show when={chosen()} fallback={<p class="empty">loading…</p>}>
        {(story) => <Head story={story()} stories={demo()!.stories} />}
      </Show>
      <div class="work">
        <Show when={overview()}>
          <Conversation />
        </Show>
        <Show when={demo()}>{(one) => <Recorded session={one().session} />}</Show>
      </div>
    </div>
  )
}

function Head(props: { readonly story: Story; readonly stories: readonly Story[] }): JSX.Element {
  /** In the preview, or applied by the panel of findings. */
  const isRepaired = () => overview() !== undefined && errorCount() === 0
  const answer = () => (isRepaired() ? props.story.repaired : props.story.without)
  return (
    <section class="demo-head" aria-label="What the provider answers">
      <nav aria-label="Broken histories">
        <For each={props.stories}>
          {({ title }, i) => (
            <a href={`#/demo/${i()}`} aria-current={props.stories[i()] === props.story ? 'page' : undefined}>
              {title}
            </a>
          )}
        </For>
      </nav>
      <p role="status">
        <Chip tone={answer().status < 400 ? 'good' : 'bad'} text={`HTTP ${answer().status}`} /> {answer().text}
      </p>
      <div class="actions">
        <Button
          class="primary"
          text={isRepaired() ? 'Undo the repair' : 'Repair'}
          onClick={() => void (isRepaired() && !repaired() ? undoRepair() : togglePreview())}
        />
        <span class="quiet">
          {isRepaired()
            ? 'Before and after, side by side. What the model got through the gateway is the next request.'
            : 'Without Suture the model gets nothing: the provider rejects the whole request.'}
        </span>
      </div>
    </section>
  )
}

interface Message {
  readonly role: string
  readonly content?: unknown
  readonly tool_calls?: readonly { readonly function: { readonly name: string; readonly arguments: string } }[]
}

/** Read again after each request. */
function Recorded(props: { readonly session: string }): JSX.Element {
  const [messages, { refetch }] = createResource(
    async () => (await call<{ messages: readonly Message[] }>('GET', `${sessionPath(props.session)}/history`)).messages,
  )
  createEffect(on(lastEvent, (event) => event?.session === props.session && void refetch(), { defer: true }))
  return (
    <aside class="recorded" aria-label="Conversation through the gateway">
      <h2>
        <a href={sessionLink(props.session)}>A conversation through the gateway</a>{' '}
        <Chip tone="good" text="live" when={arriving() === props.session} />
        <Chip tone="quiet" text="ended" when={arriving() !== props.session} />
      </h2>
      <p class="quiet">Its client presses Escape twice, and one reply breaks off. No request is rejected.</p>
      <ol tabindex="0" aria-label="Messages">
        <For each={messages.latest}>{(message) => <Line message={message} />}</For>
      </ol>
    </aside>
  )
}

function Line(props: { readonly message: Message }): JSX.Element {
  const { role, content, tool_calls: calls = [] } = props.message
  return (
    <li class={role}>
      <b>{role}</b> {typeof content === 'string' ? content : ''}
      <For each={calls}>{({ function: { name, arguments: input } }) => <code>{` ${name}(${input})`}</code>}</For>
    </li>
  )
}
