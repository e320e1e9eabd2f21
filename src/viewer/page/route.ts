/**
 * Links to everything, in the hash, which never leaves the browser: `#/file/main/12` is the stored message 12,
 * `#/session/ID/12` one of the gateway, `…/n3` a message that only the next request has, `…/finding/3` a finding.
 */

import { createSignal } from 'solid-js'
import { orUndefined } from '../../core/index.ts'
import { conversation, overview, session } from './opened.ts'
import { reveal, setActive } from './selection.ts'

export interface Route {
  readonly page: 'home' | 'file' | 'session' | 'sessions' | 'requests' | 'explain' | 'demo'
  /** Of a conversation, a session, or a history of the demonstration. */
  readonly id?: string
  /** Index of a stored message; `next`: of a message that only the next request has. */
  readonly message?: number
  readonly next?: number
  readonly finding?: number
}

export function parse(hash: string): Route {
  const [page = '', ...rest] = hash.replace(/^#\/?/, '').split('/').map(plain)
  if (page === 'sessions' || page === 'requests' || page === 'explain') return { page }
  if (page !== 'file' && page !== 'session' && page !== 'demo') return { page: 'home' }
  const [id, what, number] = rest
  return { page, ...(id === undefined || id === '' ? {} : { id }), ...placeOf(what, number) }
}

function placeOf(what = '', number = ''): Pick<Route, 'message' | 'next' | 'finding'> {
  const [, kind, digits] = /^(n|finding:|)(\d+)$/.exec(what === 'finding' ? `finding:${number}` : what) ?? []
  if (digits === undefined) return {}
  const at = Number(digits)
  return kind === 'n' ? { next: at } : kind === '' ? { message: at } : { finding: at }
}

function plain(step: string): string {
  return orUndefined(() => decodeURIComponent(step)) ?? ''
}

export const [route, setRoute] = createSignal<Route>(parse(location.hash))
addEventListener('hashchange', () => setRoute(parse(location.hash)))

export function go(hash: string): void {
  if (location.hash === hash) setRoute(parse(hash))
  else location.hash = hash
}

export function sessionLink(id: string): string {
  return `#/session/${encodeURIComponent(id)}`
}

export function fileLink(conversation: string): string {
  return `#/file/${encodeURIComponent(conversation)}`
}

/** The link of what is open. */
export function baseLink(): string {
  const id = session()
  if (route().page === 'demo') return `#/demo/${route().id ?? '0'}`
  return id === undefined ? fileLink(conversation()) : sessionLink(id)
}

/** The link of a row: by its stored message, which a repair does not change; else by its place in the next request. */
export function rowLink(row: number): string {
  const all = overview()
  const stored = all?.stored[row] ?? -1
  return `${baseLink()}/${stored >= 0 ? stored : `n${all?.next[row] ?? 0}`}`
}

/** The row that a route names. */
export function rowOf({ message, next, finding }: Route): number {
  const all = overview()
  if (!all) return -1
  if (finding !== undefined) return all.findings[finding]?.row ?? -1
  if (next !== undefined) return all.next.indexOf(next)
  return message === undefined ? -1 : all.stored.indexOf(message)
}

let scrollTo: (row: number) => void = () => {}

/** Called by the thread. */
export function setScroll(scroll: (row: number) => void): void {
  scrollTo = scroll
}

export function jumpTo(row: number): void {
  if (row < 0) return
  reveal(row)
  setActive(row)
  queueMicrotask(() => scrollTo(row))
}
