/** The application: header, the page that the address names, and overlays. */
import { createEffect, type JSX, lazy, Match, on, onCleanup, onMount, Show, Switch } from 'solid-js'
import { Button } from './controls.tsx'
import { Conversation } from './conversation.tsx'
import { ExplainPanel } from './explain-panel.tsx'
import { needsKey } from './gateway.ts'
import { Home } from './home.tsx'
import { focusFirstFinding, onKey } from './keys.ts'
import { blurred, setHelpOpen, toggleBlur } from './layout.ts'
import { follow, lastEvent } from './live.ts'
import { conversation, info, isDemo, mode, overview, session, setConversation } from './opened.ts'
import { Overlays } from './overlays.tsx'
import { type Route, route } from './route.ts'
import { openGatewaySession, reloadSession } from './session-actions.ts'
import { attempt, busy, problem, setProblem } from './status.ts'
import { dark, toggleTheme } from './theme.ts'
import { followVersions } from './versions.tsx'
import { openFiles, refresh } from './view-actions.ts'
import { openServed } from './view-server.ts'

/** Pages of the gateway only: not loaded for a file. */
const DemoPage = lazy(async () => ({ default: (await import('./demo-page.tsx')).DemoPage }))
const RequestsPage = lazy(async () => ({ default: (await import('./requests-page.tsx')).RequestsPage }))
const SessionsPage = lazy(async () => ({ default: (await import('./sessions-page.tsx')).SessionsPage }))

/** Opens what the address names, and reads an open session again after each of its requests. */
function followRoute(): void {
  onMount(() => {
    addEventListener('keydown', onKey)
    onCleanup(() => removeEventListener('keydown', onKey))
    void openServed()
    follow()
  })
  followVersions()
  createEffect(
    on([route, needsKey], ([{ page, id }, needed]) => {
      if (page === 'session' && id !== undefined && !needed && id !== session()) void openGatewaySession(id)
    }),
  )
  createEffect(
    on([route, info], ([{ page, id }, document]) => {
      const isOther = page === 'file' && id !== undefined && id !== conversation()
      if (!isOther || !document?.conversations.some((one) => one.id === id)) return
      setConversation(id)
      void attempt(refresh)
    }),
  )
  createEffect(
    on(
      lastEvent,
      (event) => event?.session !== undefined && event.session === session() && void reloadSession().catch(() => {}),
      { defer: true },
    ),
  )
}

export function App(): JSX.Element {
  followRoute()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files may be dropped anywhere; the button "Open a file" does the same
    <div
      class="app"
      classList={{ blurred: blurred() }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void openFiles([...(event.dataTransfer?.files ?? [])])
      }}
    >
      <SkipLink />
      <Header />
      <Show when={problem()}>
        <div class="banner bad" role="alert">
          {problem()} <Button text="✕" aria-label="Dismiss" onClick={() => setProblem(undefined)} />
        </div>
      </Show>
      <div id="content">
        <RoutedPage />
      </div>
      <Overlays />
    </div>
  )
}

/** The address is the route, so the link moves the focus itself. */
function SkipLink(): JSX.Element {
  const hasFindings = () => isThread() && overview()!.findings.length > 0
  const skip = (event: Event) => {
    event.preventDefault()
    if (hasFindings()) focusFirstFinding()
    else focusMain()
  }
  return (
    // biome-ignore lint/a11y/useValidAnchor: it moves the focus like any link inside a page
    <a class="skip" href="#content" onClick={skip}>
      {hasFindings() ? 'Skip to the first finding' : 'Skip to the content'}
    </a>
  )
}

function isThread(): boolean {
  const { page } = route()
  return overview() !== undefined && (page === 'file' || page === 'session' || (mode === 'view' && page === 'home'))
}

function focusMain(): void {
  const main = document.querySelector('main')
  if (main && main.tabIndex < 0) main.tabIndex = -1
  main?.focus()
}

function RoutedPage(): JSX.Element {
  return (
    <Switch fallback={<Home />}>
      <Match when={route().page === 'sessions'}>
        <SessionsPage />
      </Match>
      <Match when={route().page === 'requests'}>
        <RequestsPage />
      </Match>
      <Match when={route().page === 'demo'}>
        <DemoPage />
      </Match>
      <Match when={route().page === 'explain'}>
        <main class="page">
          <h1>What does this error mean?</h1>
          <ExplainPanel />
        </main>
      </Match>
      <Match when={isThread()}>
        <Conversation />
      </Match>
    </Switch>
  )
}

function Header(): JSX.Element {
  return (
    <header class="top">
      <a class="brand" href="#/">
        suture
      </a>
      <nav aria-label="Pages">
        <Show when={isDemo}>
          <PageLink page="demo" title="Demonstration" />
        </Show>
        <Show when={mode === 'gateway'}>
          <PageLink page="sessions" title="Sessions" />
          <PageLink page="requests" title="Requests" />
        </Show>
        <PageLink page="explain" title="Explain an error" />
      </nav>
      <span class="busy" classList={{ on: busy() }} aria-hidden="true" />
      <Button text="Blur" aria-pressed={blurred()} onClick={toggleBlur} />
      <Button text={dark() ? '☀' : '☾'} aria-label={dark() ? 'Light theme' : 'Dark theme'} onClick={toggleTheme} />
      <Button text="?" aria-label="Help" onClick={() => setHelpOpen(true)} />
    </header>
  )
}

function PageLink(props: { readonly page: Route['page']; readonly title: string }): JSX.Element {
  return (
    <a href={`#/${props.page}`} aria-current={route().page === props.page ? 'page' : undefined}>
      {props.title}
    </a>
  )
}
