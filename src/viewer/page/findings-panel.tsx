/**
 * All findings by rule, with the buttons that repair, undo and download.
 */
import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import type { FindingView } from '../worker/protocol.ts'
import { download } from './copy-out.ts'
import { FindingCard } from './finding.tsx'
import { errorCount, info, mode, overview, repaired, session } from './opened.ts'
import { counted } from './part.tsx'
import { applyRepair, undoRepair } from './view-actions.ts'
import { canWrite, undoWrite, writeFile } from './view-server.ts'

/** Findings of one rule that are listed at once. */
const PAGE = 20

export function FindingsPanel(): JSX.Element {
  const groups = createMemo(() => byRule(overview()?.findings ?? []))
  return (
    <div class="panel-body">
      <p class="verdict" classList={{ good: errorCount() === 0 }}>
        {overview()?.verdict}
      </p>
      <Show when={overview()?.reach}>
        {(reach) => (
          <p class="quiet">
            The agent will load {reach().included} of {reach().total} conversation records.
          </p>
        )}
      </Show>
      <RepairActions />
      <Show when={repaired()}>
        <p class="quiet">The thread is shown as it is after the repair; the findings are those before it.</p>
      </Show>
      <Remaining />
      <For each={groups()} fallback={<p class="empty">No findings.</p>}>
        {(group) => <RuleGroup findings={group} />}
      </For>
    </div>
  )
}

function RepairActions(): JSX.Element {
  const edits = () => overview()?.edits ?? 0
  return (
    <div class="actions">
      <Show
        when={session() === undefined}
        fallback={
          <p class="quiet">
            The gateway repairs a session each time it is sent.
            {edits() > 0 || repaired() ? ' "Preview repair" shows how.' : ' At present it changes nothing.'}
          </p>
        }
      >
        <button
          type="button"
          class="primary"
          disabled={edits() === 0 && !canRepairFile()}
          onClick={() => void applyRepair()}
        >
          Repair
          {edits() > 0 ? ` (${counted(edits(), 'edit')})` : ''}
        </button>
      </Show>
      <Show when={(info()?.undoable ?? 0) > 0}>
        <button type="button" onClick={() => void undoRepair()}>
          Undo
        </button>
      </Show>
      <Show when={info()?.writes}>
        <button type="button" onClick={() => void download('file')}>
          Download file
        </button>
      </Show>
      <Show when={edits() > 0 || (info()?.undoable ?? 0) > 0}>
        <button type="button" onClick={() => void download('patch')}>
          Download patch
        </button>
      </Show>
      <Show when={mode === 'view' && canWrite()}>
        <button type="button" onClick={() => void writeFile()}>
          Write to disk…
        </button>
        <button type="button" onClick={() => void undoWrite()}>
          Undo on disk
        </button>
      </Show>
    </div>
  )
}

function Remaining(): JSX.Element {
  return (
    <Show when={(overview()?.remaining ?? 0) > 0}>
      <p class="quiet">{counted(overview()!.remaining, 'error')} would remain after the repair:</p>
      <ul class="stays">
        <For each={overview()!.stays}>
          {({ rule, message }) => (
            <li>
              <b class="rule">{rule}</b> {message}
            </li>
          )}
        </For>
      </ul>
    </Show>
  )
}

function canRepairFile(): boolean {
  return overview()?.findings.some(({ kind, repair }) => kind !== 'provider' && repair !== 'none') ?? false
}

function RuleGroup(props: { readonly findings: readonly FindingView[] }): JSX.Element {
  const [count, setCount] = createSignal(3)
  return (
    <div class="rule-group">
      <Show when={props.findings.length > 1}>
        <h2>
          {props.findings[0]!.rule} <span class="quiet">× {props.findings.length}</span>
        </h2>
      </Show>
      <For each={props.findings.slice(0, count())}>{(finding) => <FindingCard finding={finding} />}</For>
      <Show when={props.findings.length > count()}>
        <button type="button" class="more" onClick={() => setCount(count() + PAGE)}>
          {props.findings.length - count()} more
        </button>
      </Show>
    </div>
  )
}

function byRule(findings: readonly FindingView[]): readonly (readonly FindingView[])[] {
  const groups = new Map<string, FindingView[]>()
  for (const finding of findings) {
    const key = `${finding.severity === 'error' ? 0 : 1} ${finding.rule}`
    const known = groups.get(key)
    if (known) known.push(finding)
    else groups.set(key, [finding])
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, list]) => list)
}
