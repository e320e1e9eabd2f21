/** The bar above the thread: the open document, the provider, and the switches. */
import { createResource, For, type JSX, Show } from 'solid-js'
import type { Overview } from '../worker/protocol.ts'
import { client } from './client.ts'
import { Button } from './controls.tsx'
import { copyAs } from './copy-out.ts'
import { openPanel, setFindOpen, sideBySide, toggleSideBySide } from './layout.ts'
import { arriving } from './live.ts'
import { LiveMark } from './live-mark.tsx'
import { conversation, errorCount, info, overview, repaired, session, target } from './opened.ts'
import { counted, tokens } from './part.tsx'
import { fileLink, go } from './route.ts'
import { active } from './selection.ts'
import { forkSession, revertSession, undoSession } from './session-actions.ts'
import { chooseTarget, togglePreview } from './view-actions.ts'

export function Toolbar(): JSX.Element {
  return (
    <div class="toolbar">
      <div class="what">
        <h1 class="name" title={info()?.name}>
          {info()?.name}
        </h1>
        <Show when={session() !== undefined}>
          <LiveMark isArriving={arriving() === session()} otherwise="up to date" />
        </Show>
        <span class="quiet">{info()?.formatTitle ?? overview()?.dialect}</span>
        <ConversationChoice />
        <Show when={overview()}>
          {(all) => (
            <span class="quiet numbers-line" classList={{ over: all().total > all().window }}>
              {numbersOf(all())}
            </span>
          )}
        </Show>
      </div>
      <ProviderChoice />
      <div class="switches">
        <Button text="Side by side" aria-pressed={sideBySide()} onClick={toggleSideBySide} />
        <Button
          text="Preview repair"
          aria-pressed={repaired()}
          disabled={(overview()?.edits ?? 0) === 0 && !repaired()}
          onClick={() => void togglePreview()}
        />
        <Button text="Find" onClick={() => setFindOpen(true)} />
        <select class="as-button" aria-label="Copy" value="" onChange={(event) => copy(event.currentTarget)}>
          <option value="">Copy…</option>
          <option value="request">as request</option>
          <option value="curl">as cURL</option>
          <option value="test">as test case</option>
        </select>
        <Show when={session() !== undefined}>
          <SessionActions />
        </Show>
      </div>
      <Button
        class="verdict-pill"
        classList={{ good: errorCount() === 0 && overview()?.notUnderstood === '' }}
        text={overview()?.verdict ?? ''}
        onClick={() => openPanel('findings')}
      />
    </div>
  )
}

function ConversationChoice(): JSX.Element {
  return (
    <Show when={(info()?.conversations.length ?? 0) > 1}>
      <select aria-label="Conversation" value={conversation()} onChange={({ target }) => go(fileLink(target.value))}>
        <For each={info()!.conversations}>
          {(one) => <option value={one.id}>{`${one.title ?? one.id} (${one.messages})`}</option>}
        </For>
      </select>
    </Show>
  )
}

/** One text, since several would move each other when a number grows. */
function numbersOf({ count, sentCount, turnCount, total, window }: Overview): string {
  const records = count > sentCount ? ` of ${counted(count, 'record')}` : ''
  return `${counted(sentCount, 'message')}${records} · ${counted(turnCount, 'turn')} · ${tokens(total)} of ${tokens(window)}`
}

function copy(select: HTMLSelectElement): void {
  const { value } = select
  select.value = ''
  if (value === 'request' || value === 'curl' || value === 'test') void copyAs(value)
}

function ProviderChoice(): JSX.Element {
  const [all] = createResource(() => client.providers())
  const own = () => info()?.conversations.find(({ id }) => id === conversation())
  const chosen = () => target().provider ?? own()?.provider ?? ''
  return (
    <div class="target">
      <label>
        <span class="quiet">for</span>
        <select
          aria-label="Provider"
          onChange={({ currentTarget }) => void chooseTarget({ provider: currentTarget.value })}
        >
          {/* The list is loaded later than the value, so each option has the attribute `selected`. */}
          <For each={[...(all() ?? []), 'strictest']}>
            {(id) => (
              <option value={id} selected={id === chosen()}>
                {id === 'strictest' ? 'strictest (all)' : id}
              </option>
            )}
          </For>
        </select>
      </label>
      <input
        aria-label="Model"
        placeholder="any model"
        value={overview()?.model ?? ''}
        onChange={({ currentTarget }) => {
          void chooseTarget({ ...target(), model: currentTarget.value.trim() || undefined })
        }}
      />
    </div>
  )
}

/** The turn of the active message, else the last turn. */
function turnChosen(): number {
  const all = overview()
  return all?.turns[active() < 0 ? all.count - 1 : active()] ?? 1
}

function SessionActions(): JSX.Element {
  const fork = () => {
    const id = prompt(`Fork up to the end of turn ${turnChosen()} as:`, `${session()}-fork`)
    if (id !== null) void forkSession(turnChosen(), id)
  }
  return (
    <>
      <Button class="revert" text={`Revert turn ${turnChosen()}…`} onClick={() => void revertSession(turnChosen())} />
      <Button text="Fork…" onClick={fork} />
      <Button text="Undo" onClick={() => void undoSession()} />
    </>
  )
}
