/** The plan of a compaction, and for a session of the gateway the buttons that make and undo it. */
import { createEffect, createResource, createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import type { PlanView } from '../worker/protocol.ts'
import { client } from './client.ts'
import { Button } from './controls.tsx'
import { overview, session } from './opened.ts'
import { tokens } from './part.tsx'
import { Receipts } from './receipts.tsx'
import { jumpTo } from './route.ts'
import { setCutRow } from './selection.ts'
import { compactSession, undoSession } from './session-actions.ts'
import { exact, Numbers } from './tables.tsx'
import { Branches } from './versions.tsx'

export function CompactionPanel(): JSX.Element {
  const [force, setForce] = createSignal(false)
  const [plan] = createResource(
    () => [overview(), force()] as const,
    ([, forced]) => client.plan(forced),
  )
  createEffect(() => setCutRow(plan()?.changesAnything ? plan()!.cutRow : -1))
  onCleanup(() => setCutRow(-1))
  return (
    <div class="panel-body">
      <Show when={plan()} fallback={<p class="quiet">planning…</p>}>
        {(made) => (
          <>
            <PlanSummary plan={made()} />
            <div class="actions">
              <Show when={made().cutRow >= 0}>
                <Button text="Show the cut" onClick={() => jumpTo(made().cutRow)} />
              </Show>
              <Button text={force() ? 'Plan only if due' : 'Plan anyway'} onClick={() => setForce(!force())} />
              <Show when={session() !== undefined}>
                <Button
                  class="primary"
                  text="Compact"
                  disabled={!made().changesAnything}
                  onClick={() => void compactSession(force())}
                />
                <Button text="Undo the last change" onClick={() => void undoSession()} />
              </Show>
            </div>
          </>
        )}
      </Show>
      <Receipts />
      <Branches />
    </div>
  )
}

/** The changes of the plan, with the reasons. */
function PlanSummary(props: { readonly plan: PlanView }): JSX.Element {
  const sizes = () => props.plan.tokens
  return (
    <>
      <p class="verdict" classList={{ good: props.plan.fits }}>
        {props.plan.changesAnything
          ? `A compaction takes it from ${tokens(sizes().before)} to ${tokens(sizes().after)}`
          : 'No compaction is due'}
      </p>
      <For each={props.plan.why}>{(why) => <p class="quiet">{why}</p>}</For>
      <Numbers columns={['before', 'after']} rows={numbersOf(props.plan)} />
      <Show when={props.plan.steps.length > 0}>
        <h2>Steps</h2>
        <ol class="steps">
          <For each={props.plan.steps}>
            {(step) => (
              <li>
                <b>{step.strategy}</b> {step.detail} <span class="count">−{tokens(step.saves)}</span>
              </li>
            )}
          </For>
        </ol>
      </Show>
    </>
  )
}

function numbersOf({ tokens, messages, cache }: PlanView) {
  return [
    ['tokens, estimated', exact(tokens.before), exact(tokens.after)],
    ['messages', exact(messages.before), exact(messages.after)],
    ['cache prefix, tokens', exact(tokens.before), exact(cache.tokens)],
    ['cache prefix, messages', exact(messages.before), exact(cache.messages)],
  ] as const
}
