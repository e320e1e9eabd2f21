/** Explains a pasted error of a provider: the rule, the repair, and the place in the open conversation. */
import { createResource, createSignal, For, type JSX, Show } from 'solid-js'
import type { ExplainView } from '../worker/protocol.ts'
import { client } from './client.ts'
import { Button } from './controls.tsx'
import { ProviderQuotes } from './finding.tsx'
import { overview } from './opened.ts'
import { jumpTo } from './route.ts'
import { RuleLink } from './rule-link.tsx'

const [text, setText] = createSignal('')

export function ExplainPanel(): JSX.Element {
  const [found] = createResource(
    () => (text().trim() === '' ? undefined : ([text(), overview()] as const)),
    ([error]) => client.explain(error),
  )
  return (
    <div class="panel-body">
      <label class="field">
        <span>Paste an error of a provider</span>
        <textarea
          rows={6}
          spellcheck={false}
          value={text()}
          onInput={({ target }) => setText(target.value)}
          placeholder='{"type":"error","error":{"type":"invalid_request_error","message":"messages.2: `tool_use` ids were found without `tool_result` blocks…"}}'
        />
      </label>
      <Show when={text().trim() !== '' && found()} keyed>
        {(one) => <Explained found={one} />}
      </Show>
    </div>
  )
}

function Explained(props: { readonly found: ExplainView }): JSX.Element {
  const { rule, kind, summary, why, fix, link, ids, rows, words } = props.found
  return (
    <section class="finding error" aria-live="polite">
      <div class="finding-head">
        <Show when={link.includes('/docs/rules/')} fallback={<span class="rule">{rule ?? kind}</span>}>
          <RuleLink rule={rule!} />
        </Show>
      </div>
      <p class="message">{summary}</p>
      <p class="rule-summary">{why}</p>
      <ProviderQuotes words={words.slice(0, 3)} />
      <p>{fix}</p>
      <p class="quiet">{ids.length > 0 ? `${link} · names ${ids.join(', ')}` : link}</p>
      <Show when={rows.length > 0}>
        <div class="actions">
          <For each={rows.slice(0, 8)}>
            {(row) => <Button text={`Show message ${row + 1}`} onClick={() => jumpTo(row)} />}
          </For>
        </div>
      </Show>
      <Show when={rows.length === 0 && overview()}>
        <p class="quiet">It names no place in the open conversation.</p>
      </Show>
    </section>
  )
}
