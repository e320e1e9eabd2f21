/** Light or dark: as set in the system, until the user chooses. The minimap uses the colors of the style sheet. */
import { createEffect, createRoot, createSignal } from 'solid-js'

const system = matchMedia('(prefers-color-scheme: dark)')
export const [dark, setDark] = createSignal(system.matches)

const follow = ({ matches }: MediaQueryListEvent) => setDark(matches)
system.addEventListener('change', follow)
createRoot(() => createEffect(() => document.documentElement.setAttribute('data-theme', dark() ? 'dark' : 'light')))

export function toggleTheme(): void {
  system.removeEventListener('change', follow)
  setDark(!dark())
}

export function palette() {
  const style = getComputedStyle(document.documentElement)
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim()
  return {
    roles: ['system', 'user', 'assistant', 'tool', 'unknown'].map((role) => color(`map-${role}`)),
    excluded: color('map-excluded'),
    line: color('map-line'),
    error: color('bad'),
    warning: color('warn'),
    compaction: color('compaction'),
    fork: color('compaction'),
    differs: color('differs'),
    found: color('found'),
  }
}
