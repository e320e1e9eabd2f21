/**
 * A conversation: the bar, the thread, and the panel with its details.
 */
import { type JSX, Match, Show, Switch } from 'solid-js'
import { CompactionPanel } from './compaction-panel.tsx'
import { EditsPanel } from './edits-panel.tsx'
import { ExplainPanel } from './explain-panel.tsx'
import { FindBar } from './find.tsx'
import { FindingsPanel } from './findings-panel.tsx'
import { findOpen, overview, type Panel, panel, panelOpen, setPanel, setPanelOpen } from './state.ts'
import { Thread } from './thread.tsx'
import { TokensPanel } from './tokens-panel.tsx'
import { Toolbar } from './toolbar.tsx'

const PANELS: readonly (readonly [Panel, string])[] = [
  ['findings', 'Findings'],
  ['tokens', 'Tokens'],
  ['compaction', 'Compaction'],
  ['edits', 'Edits'],
  ['explain', 'Explain'],
]

export function Conversation(): JSX.Element {
  return (
    <main class="conversation">
      <Toolbar />
      <div class="work">
        <div class="center-column">
          <Show when={findOpen()}>
            <FindBar />
          </Show>
          <Thread />
        </div>
        <aside class="panel" classList={{ closed: !panelOpen() }} aria-label="Details">
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
