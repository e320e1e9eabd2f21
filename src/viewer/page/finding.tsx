/**
 * A finding with the provider's words and what repairs it.
 */
import { For, type JSX, Show } from 'solid-js'
import type { FindingView, ProviderWords } from '../worker/protocol.ts'
import { go, jumpTo } from './route.ts'
import { baseLink } from './row.tsx'
import { RuleLink } from './rule-link.tsx'

const REPAIR = {
  safe: 'The repair loses nothing.',
  lossy: 'The patch has what the repair removes.',
  none: 'There is no automatic repair.',
} as const
const KIND = { provider: 'rule of the provider', load: 'not loaded by the agent', salvage: 'damaged file' } as const

export function ProviderQuotes(props: { readonly words: readonly ProviderWords[] }): JSX.Element {
  return (
    <For each={props.words}>
      {({ by, text }) => (
        <blockquote>
          <cite>{by}</cite> {text}
        </blockquote>
      )}
    </For>
  )
}

export function FindingCard(props: { readonly finding: FindingView; readonly compact?: boolean }): JSX.Element {
  const { finding } = props
  return (
    <div class={`finding ${finding.severity}`}>
      <div class="finding-head">
        <span class={`chip ${finding.severity === 'error' ? 'bad' : 'warn'}`}>{finding.severity}</span>
        <Show when={finding.kind === 'provider'} fallback={<span class="rule">{finding.rule}</span>}>
          <RuleLink rule={finding.rule} />
        </Show>
        <Show when={props.compact}>
          <a class="place" href={`${baseLink()}/finding/${finding.index}`} title="Link to this finding">
            {finding.place}
          </a>
        </Show>
        <Show when={!props.compact && finding.row >= 0}>
          <button
            type="button"
            class="link"
            onClick={() => {
              go(`${baseLink()}/finding/${finding.index}`)
              jumpTo(finding.row)
            }}
          >
            {finding.round ?? (finding.line === undefined ? finding.place : `line ${finding.line}`)}
          </button>
        </Show>
      </div>
      <p class="message">{finding.message}</p>
      <Show when={finding.says}>
        <p class="says">{finding.says}</p>
      </Show>
      <ProviderQuotes words={finding.words.slice(0, props.compact ? 1 : 3)} />
      <p class="fix">
        <Show when={finding.repair !== 'none' && finding.repairs}>{finding.repairs} </Show>
        <span class={`repair ${finding.repair}`}>{REPAIR[finding.repair]}</span>
        <span class="quiet"> · {KIND[finding.kind]}</span>
      </p>
    </div>
  )
}
