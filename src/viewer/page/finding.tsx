/** A finding with the provider's words and what repairs it. */
import { For, type JSX, Show } from 'solid-js'
import type { FindingView, ProviderWords } from '../worker/protocol.ts'
import { Button, Chip } from './controls.tsx'
import { baseLink, go, jumpTo } from './route.ts'
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
  const link = () => `${baseLink()}/finding/${finding.index}`
  return (
    <div class={`finding ${finding.severity}`}>
      <div class="finding-head">
        <Chip tone={finding.severity === 'error' ? 'bad' : 'warn'} text={finding.severity} />
        <Show when={finding.kind === 'provider'} fallback={<span class="rule">{finding.rule}</span>}>
          <RuleLink rule={finding.rule} />
        </Show>
        <Show when={props.compact}>
          <a class="place" href={link()} title="Link to this finding">
            {finding.place}
          </a>
        </Show>
        <Show when={!props.compact && finding.row >= 0}>
          <Button
            class="link"
            text={finding.round ?? (finding.line === undefined ? finding.place : `line ${finding.line}`)}
            onClick={() => {
              go(link())
              jumpTo(finding.row)
            }}
          />
        </Show>
      </div>
      <p class="message">{finding.message}</p>
      <Show when={finding.summary}>
        <p class="rule-summary">{finding.summary}</p>
      </Show>
      <ProviderQuotes words={finding.words.slice(0, props.compact ? 1 : 3)} />
      <Show when={finding.kind === 'provider' && finding.summary && finding.words.length === 0}>
        <p class="quiet">No error text of this provider is on record for it.</p>
      </Show>
      <p class="fix">
        <Show when={finding.repair !== 'none' && finding.fix}>{finding.fix} </Show>
        <span class={`repair ${finding.repair}`}>{REPAIR[finding.repair]}</span>
        <span class="quiet"> · {KIND[finding.kind]}</span>
      </p>
    </div>
  )
}
