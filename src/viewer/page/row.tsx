/** One row of the thread: a message as it is stored, beside what the next request will contain. */
import { createResource, createSignal, For, type JSX, Show } from 'solid-js'
import type { Cell, Row, RowFacts, RowSide, Status } from '../worker/protocol.ts'
import { client } from './client.ts'
import { Compared } from './compared.tsx'
import { Button } from './controls.tsx'
import { FindingCard } from './finding.tsx'
import { showFullText, showRaw } from './full-text.tsx'
import { sideBySide } from './layout.ts'
import { overview } from './opened.ts'
import { PartCard, tokens } from './part.tsx'
import { fileLink, rowLink } from './route.ts'
import { rowAt } from './rows-store.ts'
import { cutRow, expanded, isActive, setActive } from './selection.ts'
import { dollars, exact } from './tables.tsx'
import { timeOf } from './time.ts'
import { Versions } from './versions.tsx'

const REASONS: Readonly<Record<string, string>> = {
  'before-compaction': 'before the compaction',
  'other-branch': 'on another branch',
  'dead-branch-after-api-error': 'on a branch that ended with an API error',
  'dangling-parent': 'not reachable: its parent is missing',
  sidechain: 'of a sub-agent',
  superseded: 'replaced by a later record',
  'not-conversation': 'not conversation',
  unreadable: 'unreadable',
}

/** Why no request contains a record, in words. */
export function reasonOf(because = ''): string {
  return REASONS[because] ?? because
}

export function RowView(props: { readonly row: number }): JSX.Element {
  return (
    <Show when={rowAt(props.row)} fallback={<div class="row loading" />} keyed>
      {(row) => <LoadedRow row={row} />}
    </Show>
  )
}

function LoadedRow(props: { readonly row: Row }): JSX.Element {
  const { row } = props
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: j and k choose a message by key
    <article
      class={`row status-${row.status}`}
      classList={{
        active: isActive(row.at),
        turn: row.startsTurn,
        [`rail-${row.rail}`]: row.rail !== undefined,
        two: sideBySide(),
      }}
      data-row={row.at}
      tabindex="-1"
      aria-label={`Message ${row.at + 1}`}
      onClick={() => setActive(row.at)}
    >
      <Show when={row.startsTurn}>
        <div class="turn-line">
          <span>turn {row.turn}</span>
        </div>
      </Show>
      <Show when={cutRow() === row.at}>
        <div class="boundary cut">a compaction would cut here</div>
      </Show>
      <Show when={row.compaction}>
        <div class="boundary">compaction · {row.compaction}</div>
      </Show>
      <Show
        when={sideBySide()}
        fallback={
          <Side row={row} cell={row.next ?? row.stored} side={row.next ? 'next' : 'stored'} label={statusLabel(row)} />
        }
      >
        <BothSides row={row} />
      </Show>
      <Show when={row.status === 'changed'}>
        <Difference row={row} />
      </Show>
      <Versions row={row.at} />
      <For each={row.subAgents}>
        {(sub) => (
          <a class="sub-agent" href={fileLink(sub.conversation)}>
            ▸ sub-agent {sub.conversation} · {sub.messages} messages · {tokens(sub.tokens)}
          </a>
        )}
      </For>
      <For each={row.findings}>
        {(index) => (
          <Show when={overview()?.findings[index]} keyed>
            {(finding) => <FindingCard finding={finding} compact />}
          </Show>
        )}
      </For>
    </article>
  )
}

function BothSides(props: { readonly row: Row }): JSX.Element {
  const { row } = props
  const isSame = row.status === 'same'
  const next = row.next ?? (isSame ? row.stored : undefined)
  return (
    <div class="sides">
      <Show when={row.stored} fallback={<div class="empty-side">not stored: added to the next request</div>}>
        <Side row={row} cell={row.stored} side="stored" label={statusLabel(row)} />
      </Show>
      <Show
        when={next}
        fallback={
          <div class="empty-side">not in the next request{row.because ? `: ${reasonOf(row.because)}` : ''}</div>
        }
      >
        <Side row={row} cell={next} side="next" label={isSame ? undefined : row.status} />
      </Show>
    </div>
  )
}

function Difference(props: { readonly row: Row }): JSX.Element {
  const [compare, setCompare] = createSignal(false)
  const [difference] = createResource(compare, () => client.compareRow(props.row.at))
  return (
    <>
      <Button
        class="link compare"
        text={compare() ? 'hide the difference' : 'show the difference'}
        onClick={() => setCompare(!compare())}
      />
      <Show when={compare()}>
        <Compared difference={difference()} />
      </Show>
    </>
  )
}

const LABELS: Readonly<Partial<Record<Status, string>>> = {
  changed: 'changed by the repair',
  added: 'added to the next request',
  removed: 'removed by the repair',
  moved: 'moved by the repair',
}

function statusLabel({ status, because }: Row): string | undefined {
  return status === 'excluded' ? `not sent: ${reasonOf(because)}` : LABELS[status]
}

/** A record that is not a message is named by its type. */
function roleOf(cell: Cell | undefined, row: Row): string {
  return cell === undefined || cell.role === 'unknown' ? (row.recordType ?? 'record') : cell.role
}

function Facts(props: { readonly facts: RowFacts | undefined }): JSX.Element {
  const { at, took, model, usage, cost } = props.facts ?? {}
  const texts = [
    at === undefined ? '' : timeOf(at),
    took === undefined ? '' : `${(took / 1000).toFixed(1)} s`,
    model ?? '',
    usage ? `${exact(usage.input)} in, ${exact(usage.output)} out` : '',
    cost === undefined ? '' : cost === null ? 'cost unknown' : dollars(cost),
  ]
  const title = 'As recorded: time, time since the message before, model, tokens; cost at list prices'
  return (
    <span class="facts" title={title}>
      {texts.filter(Boolean).join(' · ')}
    </span>
  )
}

interface SideProps {
  readonly row: Row
  readonly cell: Cell | undefined
  readonly side: RowSide
  readonly label: string | undefined
}

function Side(props: SideProps): JSX.Element {
  const { row } = props
  return (
    <div class={`side role-${props.cell?.role ?? 'unknown'}`}>
      <header class="side-head">
        <span class="role">{roleOf(props.cell, row)}</span>
        <a class="place" href={rowLink(row.at)} title="Link to this message">
          {row.lines
            ? `line ${row.lines[0]}${row.lines[1] > row.lines[0] ? `–${row.lines[1]}` : ''}`
            : `#${props.cell?.index ?? row.at}`}
        </a>
        <Show when={props.label}>
          <span class={`chip status ${row.status}`}>{props.label}</span>
        </Show>
        <Show when={props.side === 'stored' || row.stored === undefined || !sideBySide()}>
          <Facts facts={row.facts} />
        </Show>
        <span class="count" title="estimated">
          {tokens(props.cell?.tokens ?? 0)}
        </span>
        <Button class="link raw" text="{ }" aria-label="Raw JSON" onClick={() => showRaw(row.at, props.side)} />
      </header>
      <For each={props.cell?.parts}>
        {(part, i) => (
          <PartCard part={part} expanded={expanded.has(row.at)} onFull={() => showFullText(row.at, props.side, i())} />
        )}
      </For>
    </div>
  )
}
