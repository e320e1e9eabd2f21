/** A conversation: the bar, the thread, and the panel with its details. */
import { type JSX, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { CompactionPanel } from './compaction-panel.tsx'
import { Button } from './controls.tsx'
import { EditsPanel } from './edits-panel.tsx'
import { ExplainPanel } from './explain-panel.tsx'
import { FindBar } from './find.tsx'
import { FindingsPanel } from './findings-panel.tsx'
import { findOpen, openPanel, PANELS, type Panel, panel, panelOpen, togglePanel } from './layout.ts'
import { overview } from './opened.ts'
import { Thread } from './thread.tsx'
import { TokensPanel } from './tokens-panel.tsx'
import { Toolbar } from './toolbar.tsx'

const BODIES: Readonly<Record<Panel, { readonly title: string; readonly body: () => JSX.Element }>> = {
  findings: { title: 'Findings', body: FindingsPanel },
  tokens: { title: 'Tokens', body: TokensPanel },
  compaction: { title: 'Compaction', body: CompactionPanel },
  edits: { title: 'Edits', body: EditsPanel },
  explain: { title: 'Explain', body: ExplainPanel },
}

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
              {PANELS.map((id) => (
                <button type="button" role="tab" aria-selected={panel() === id} onClick={() => openPanel(id)}>
                  {BODIES[id].title}
                  <Show when={id === 'findings' && (overview()?.findings.length ?? 0) > 0}>
                    <span class="badge">{overview()!.findings.length}</span>
                  </Show>
                </button>
              ))}
            </div>
            <Button
              class="collapse"
              text={panelOpen() ? '▾' : '▴'}
              aria-label={panelOpen() ? 'Hide details' : 'Show details'}
              onClick={togglePanel}
            />
          </div>
          <Show when={panelOpen()}>
            <div role="tabpanel" class="panel-scroll" tabindex="0" aria-label={panel()}>
              <Dynamic component={BODIES[panel()].body} />
            </div>
          </Show>
        </aside>
      </div>
    </main>
  )
}
