/**
 * The page: header, the page that the address names, and what lies over it.
 */
import { createEffect, type JSX, Match, on, onCleanup, onMount, Show, Switch } from 'solid-js'
import { CompactionPanel } from './compaction-panel.tsx'
import { Dialog } from './dialog.tsx'
import { EditsPanel } from './edits-panel.tsx'
import { ExplainPanel } from './explain-panel.tsx'
import { FindBar } from './find.tsx'
import { FindingsPanel } from './findings-panel.tsx'
import { FullText } from './full-text.tsx'
import { needsKey, useKey } from './gateway.ts'
import { Help } from './help.tsx'
import { Home } from './home.tsx'
import { onKey } from './keys.ts'
import { follow, lastEvent } from './live.ts'
import { openFiles } from './open-files.ts'
import { RequestsPage } from './requests-page.tsx'
import { route } from './route.ts'
import { openGatewaySession, reloadSession } from './session-actions.ts'
import { SessionsPage } from './sessions-page.tsx'
import {
  blurred,
  busy,
  findOpen,
  helpOpen,
  mode,
  notice,
  overview,
  type Panel,
  panel,
  panelOpen,
  problem,
  session,
  setBlurred,
  setHelpOpen,
  setNotice,
  setPanel,
  setPanelOpen,
  setProblem,
} from './state.ts'
import { dark, toggleTheme } from './theme.ts'
import { Thread } from './thread.tsx'
import { TokensPanel } from './tokens-panel.tsx'
import { Toolbar } from './toolbar.tsx'
import { openServed } from './view-server.ts'

export function App(): JSX.Element {
  onMount(() => {
    addEventListener('keydown', onKey)
    onCleanup(() => removeEventListener('keydown', onKey))
    void openServed()
    follow()
  })
  createEffect(
    on([route, needsKey], ([{ page, id }, needed]) => {
      if (page === 'session' && id !== undefined && !needed && id !== session()) void openGatewaySession(id)
    }),
  )
  createEffect(
    on(
      lastEvent,
      (event) => event?.session !== undefined && event.session === session() && void reloadSession().catch(() => {}),
      { defer: true },
    ),
  )
  const isThread = () =>
    overview() !== undefined &&
    (route().page === 'file' || route().page === 'session' || (mode === 'view' && route().page === 'home'))
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
      <Header />
      <Show when={problem()}>
        <div class="banner bad" role="alert">
          {problem()}{' '}
          <button type="button" aria-label="Dismiss" onClick={() => setProblem(undefined)}>
            ✕
          </button>
        </div>
      </Show>
      <Switch fallback={<Home />}>
        <Match when={route().page === 'sessions'}>
          <SessionsPage />
        </Match>
        <Match when={route().page === 'requests'}>
          <RequestsPage />
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
      <Overlays />
    </div>
  )
}

function Header(): JSX.Element {
  return (
    <header class="top">
      <a class="brand" href="#/">
        suture
      </a>
      <nav aria-label="Pages">
        <Show when={mode === 'gateway'}>
          <a href="#/sessions" aria-current={route().page === 'sessions' ? 'page' : undefined}>
            Sessions
          </a>
          <a href="#/requests" aria-current={route().page === 'requests' ? 'page' : undefined}>
            Requests
          </a>
        </Show>
        <a href="#/explain" aria-current={route().page === 'explain' ? 'page' : undefined}>
          Explain an error
        </a>
      </nav>
      <span class="busy" classList={{ on: busy() }} aria-hidden="true" />
      <button type="button" aria-pressed={blurred()} onClick={() => setBlurred(!blurred())}>
        Blur
      </button>
      <button type="button" onClick={toggleTheme} aria-label={dark() ? 'Light theme' : 'Dark theme'}>
        {dark() ? '☀' : '☾'}
      </button>
      <button type="button" onClick={() => setHelpOpen(true)} aria-label="Help">
        ?
      </button>
    </header>
  )
}

const PANELS: readonly (readonly [Panel, string])[] = [
  ['findings', 'Findings'],
  ['tokens', 'Tokens'],
  ['compaction', 'Compaction'],
  ['edits', 'Edits'],
  ['explain', 'Explain'],
]

function Conversation(): JSX.Element {
  return (
    <main class="conversation" classList={{ 'with-panel': panelOpen() }}>
      <Toolbar />
      <div class="work">
        <div class="center-column">
          <Show when={findOpen()}>
            <FindBar />
          </Show>
          <Thread />
        </div>
        <aside class="panel" aria-label="Details">
          <div class="tabs">
            <div class="tab-list" role="tablist" aria-label="Details">
              {PANELS.map(([id, title]) => (
                <button
                  type="button"
                  role="tab"
                  aria-selected={panel() === id}
                  onClick={() => {
                    setPanel(id)
                    setPanelOpen(true)
                  }}
                >
                  {title}
                  <Show when={id === 'findings' && (overview()?.findings.length ?? 0) > 0}>
                    <span class="badge">{overview()!.findings.length}</span>
                  </Show>
                </button>
              ))}
            </div>
            <button
              type="button"
              class="collapse"
              aria-label={panelOpen() ? 'Hide details' : 'Show details'}
              onClick={() => setPanelOpen(!panelOpen())}
            >
              {panelOpen() ? '▾' : '▴'}
            </button>
          </div>
          <Show when={panelOpen()}>
            <div role="tabpanel" class="panel-scroll" tabindex="0" aria-label={panel()}>
              <Switch>
                <Match when={panel() === 'findings'}>
                  <FindingsPanel />
                </Match>
                <Match when={panel() === 'tokens'}>
                  <TokensPanel />
                </Match>
                <Match when={panel() === 'compaction'}>
                  <CompactionPanel />
                </Match>
                <Match when={panel() === 'edits'}>
                  <EditsPanel />
                </Match>
                <Match when={panel() === 'explain'}>
                  <ExplainPanel />
                </Match>
              </Switch>
            </div>
          </Show>
        </aside>
      </div>
    </main>
  )
}

function Overlays(): JSX.Element {
  let input: HTMLInputElement | undefined
  createEffect(on(notice, (text) => text !== undefined && setTimeout(() => setNotice(undefined), 5_000)))
  return (
    <>
      <FullText />
      <Show when={helpOpen()}>
        <Help />
      </Show>
      <Show when={needsKey()}>
        <Dialog title="Key of this gateway" small onClose={() => {}}>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              useKey(input!.value)
              follow()
            }}
          >
            <label class="field">
              <span>It is kept in memory only, until the page is closed.</span>
              <input ref={input} type="password" autocomplete="off" required />
            </label>
            <button type="submit" class="primary">
              Use
            </button>
          </form>
        </Dialog>
      </Show>
      <div class="notice" role="status">
        {notice()}
      </div>
    </>
  )
}
