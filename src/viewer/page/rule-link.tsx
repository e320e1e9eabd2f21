/**
 * The name of a rule as a link to its page. The build that is one HTML file has no such pages, and shows the name
 * alone.
 */
import { type JSX, Show } from 'solid-js'

/** False in the build that is one HTML file. */
declare const HAS_RULE_PAGES: boolean

export function RuleLink(props: { readonly rule: string }): JSX.Element {
  return (
    <Show when={HAS_RULE_PAGES} fallback={<span class="rule">{props.rule}</span>}>
      <a class="rule" href={`rules/${props.rule}.txt`} target="_blank" rel="noopener">
        {props.rule}
      </a>
    </Show>
  )
}
