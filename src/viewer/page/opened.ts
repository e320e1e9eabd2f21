/**
 * Store: the open document, the conversation that is shown, for which target, and its overview.
 */
import { batch, createSignal } from 'solid-js'
import type { DocumentInfo, Overview } from '../worker/protocol.ts'

export type Mode = 'static' | 'view' | 'gateway'

const meta = document.querySelector<HTMLMetaElement>('meta[name="suture-mode"]')?.content
export const mode: Mode = meta === 'gateway' || meta === 'view' ? meta : 'static'

const [info, setInfo] = createSignal<DocumentInfo>()
const [overview, setOverview] = createSignal<Overview>()
const [conversation, setConversation] = createSignal('main')
const [provider, setProvider] = createSignal<string>()
const [model, setModel] = createSignal<string>()
const [repaired, setRepaired] = createSignal(false)
/** The session of the gateway that is open. */
const [session, setSession] = createSignal<string>()

export { conversation, info, model, overview, provider, repaired, session, setConversation, setOverview, setSession }

/** Another document: its first conversation, for the provider that it was made for. */
export function setDocument(opened: DocumentInfo): void {
  setInfo(opened)
  setConversation(opened.conversations[0]?.id ?? 'main')
  setTarget(undefined, undefined)
  setRepaired(false)
}

/** The same document after a change. */
export function updateDocument(changed: DocumentInfo): void {
  setInfo(changed)
}

/** Undefined: what the document names. */
export function setTarget(provider: string | undefined, model: string | undefined): void {
  batch(() => {
    setProvider(provider)
    setModel(model)
  })
}

export function previewRepair(on: boolean): void {
  setRepaired(on)
}

/** Errors of what is shown. */
export function errorCount(): number {
  const all = overview()
  if (repaired()) return all?.remaining ?? 0
  return all?.findings.filter(({ severity }) => severity === 'error').length ?? 0
}
