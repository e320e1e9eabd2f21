/**
 * A compaction before it is made, and for a session of the gateway the buttons that make it and take it back.
 */
import { createEffect, createResource, createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import type { PlanView } from '../worker/protocol.ts'
import { client } from './client.ts'
import { overview, session } from './opened.ts'
import { tokens } from './part.tsx'
import { Receipts } from './receipts.tsx'
import { jumpTo } from './route.ts'
import { setCutRow } from './selection.ts'
import { compactSession, undoSession } from './session-actions.ts'

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
            <BeforeAndAfter plan={made()} />
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
                <SessionButtons acts={made().acts} force={force()} />
              </Show>
            </div>
          </>
        )}
      </Show>
      <Receipts />
    </div>
  )
}

function BeforeAndAfter(props: { readonly plan: PlanView }): JSX.Element {
  const rows = (): readonly (readonly [string, number, number])[] => {
    const { before, after, messagesBefore, messagesAfter, cacheTokens, cacheMessages } = props.plan
    return [
      ['tokens, estimated', before, after],
      ['messages', messagesBefore, messagesAfter],
      ['cache prefix, tokens', before, cacheTokens],
      ['cache prefix, messages', messagesBefore, cacheMessages],
    ]
  }
  return (
    <table class="numbers">
      <thead>
        <tr>
          <td />
          <th scope="col">before</th>
          <th scope="col">after</th>
        </tr>
      </thead>
      <tbody>
        <For each={rows()}>
          {([name, before, after]) => (
            <tr>
              <th scope="row">{name}</th>
              <td>{before.toLocaleString('en')}</td>
              <td>{after.toLocaleString('en')}</td>
            </tr>
          )}
        </For>
      </tbody>
    </table>
  )
}

function SessionButtons(props: { readonly acts: boolean; readonly force: boolean }): JSX.Element {
  return (
    <>
      <button type="button" class="primary" disabled={!props.acts} onClick={() => void compactSession(props.force)}>
        Compact
      </button>
      <button type="button" onClick={() => void undoSession()}>
        Undo the last change
      </button>
    </>
  )
}
