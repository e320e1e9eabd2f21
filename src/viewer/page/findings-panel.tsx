/** All findings by rule, with the buttons that repair, undo and download. */
import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import type { FindingView } from '../worker/protocol.ts'
import { Button, More } from './controls.tsx'
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
      <p class="verdict" classList={{ good: errorCount() === 0 && overview()?.notUnderstood === '' }}>
        {overview()?.verdict}
      </p>
      <Show when={overview()?.notUnderstood}>{(text) => <p>{text()}</p>}</Show>
      <Show when={overview()?.reach}>
        {(reach) => (
          <p class="quiet">
            The agent will load {reach().included} of {reach().total} conversation records.
          </p>
        )}
      </Show>
      <RepairActions />
      <Show when={repaired()}>
        <p class="quiet">The thread and the findings are shown as they are after the repair.</p>
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
  const undoable = () => info()?.undoable ?? 0
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
        <Button
          class="primary"
          text={edits() > 0 ? `Repair (${counted(edits(), 'edit')})` : 'Repair'}
          disabled={edits() === 0 && !canRepairFile()}
          onClick={() => void applyRepair()}
        />
      </Show>
      <Show when={undoable() > 0}>
        <Button text="Undo" onClick={() => void undoRepair()} />
      </Show>
      <Show when={info()?.writes}>
        <Button text="Download file" onClick={() => void download('file')} />
      </Show>
      <Show when={edits() > 0 || undoable() > 0}>
        <Button text="Download patch" onClick={() => void download('patch')} />
      </Show>
      <Show when={mode === 'view' && canWrite()}>
        <Button text="Write to disk…" onClick={() => void writeFile()} />
        <Button text="Undo on disk" onClick={() => void undoWrite()} />
      </Show>
    </div>
  )
}

function Remaining(): JSX.Element {
  return (
    <Show when={(overview()?.remaining ?? 0) > 0 && !repaired()}>
      <p class="quiet">{counted(overview()!.remaining, 'error')} would remain after the repair:</p>
      <ul class="stays">
        <For each={overview()!.firstRemaining}>
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
      <More left={props.findings.length - count()} onMore={() => setCount(count() + PAGE)} />
    </div>
  )
}

/** Errors first, then by name. */
function byRule(findings: readonly FindingView[]): readonly (readonly FindingView[])[] {
  const groups = new Map<string, FindingView[]>()
  for (const finding of findings) {
    const key = `${finding.severity} ${finding.rule}`
    const group = groups.get(key) ?? []
    group.push(finding)
    groups.set(key, group)
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, list]) => list)
}
