/**
 * A compaction before it is made, and for a session of the gateway the buttons that make it and take it back.
 */
import { createEffect, createResource, createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import { client } from './client.ts'
import { tokens } from './part.tsx'
import { Receipts } from './receipts.tsx'
import { jumpTo } from './route.ts'
import { compactSession, undoSession } from './session-actions.ts'
import { overview, session, setCutRow } from './state.ts'

export function CompactionPanel(): JSX.Element {
  const [force, setForce] = createSignal(false)
  const [plan] = createResource(
    () => [overview(), force()] as const,
    ([, forced]) => client.plan(forced),
  )
  createEffect(() => setCutRow(plan()?.acts ? plan()!.cutRow : -1))
  onCleanup(() => setCutRow(-1))
  return (
    <div class="panel-body">
      <Show when={plan()} fallback={<p class="quiet">planning…</p>}>
        {(made) => (
          <>
            <p class="verdict" classList={{ good: made().fits }}>
              {made().acts
                ? `A compaction takes it from ${tokens(made().before)} to ${tokens(made().after)}`
                : 'No compaction is due'}
            </p>
            <For each={made().why}>{(why) => <p class="quiet">{why}</p>}</For>
            <table class="numbers">
              <thead>
                <tr>
                  <td />
                  <th scope="col">before</th>
                  <th scope="col">after</th>
                </tr>
              </thead>
              <tbody>
                <tr>
                  <th scope="row">tokens, estimated</th>
                  <td>{made().before.toLocaleString('en')}</td>
                  <td>{made().after.toLocaleString('en')}</td>
                </tr>
                <tr>
                  <th scope="row">messages</th>
                  <td>{made().messagesBefore}</td>
                  <td>{made().messagesAfter}</td>
                </tr>
                <tr>
                  <th scope="row">cache prefix, tokens</th>
                  <td>{made().before.toLocaleString('en')}</td>
                  <td>{made().cacheTokens.toLocaleString('en')}</td>
                </tr>
                <tr>
                  <th scope="row">cache prefix, messages</th>
                  <td>{made().messagesBefore}</td>
                  <td>{made().cacheMessages}</td>
                </tr>
              </tbody>
            </table>
            <Show when={made().steps.length > 0}>
              <h2>Steps</h2>
              <ol class="steps">
                <For each={made().steps}>
                  {(step) => (
                    <li>
                      <b>{step.strategy}</b> {step.detail} <span class="count">−{tokens(step.saves)}</span>
                    </li>
                  )}
                </For>
              </ol>
            </Show>
            <div class="actions">
              <Show when={made().cutRow >= 0}>
                <button type="button" onClick={() => jumpTo(made().cutRow)}>
                  Show the cut
                </button>
              </Show>
              <button type="button" onClick={() => setForce(!force())}>
                {force() ? 'Plan only if due' : 'Plan anyway'}
              </button>
              <Show when={session() !== undefined}>
                <button
                  type="button"
                  class="primary"
                  disabled={!made().acts}
                  onClick={() => void compactSession(force())}
                >
                  Compact
                </button>
                <button type="button" onClick={() => void undoSession()}>
                  Undo the last change
                </button>
              </Show>
            </div>
          </>
        )}
      </Show>
      <Receipts />
    </div>
  )
}
