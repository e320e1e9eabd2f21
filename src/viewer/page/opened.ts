/** Store: the open document, the shown conversation, the target, and the overview. */
import { createSignal } from 'solid-js'
import type { DocumentInfo, Overview } from '../worker/protocol.ts'

const meta = document.querySelector<HTMLMetaElement>('meta[name="suture-mode"]')?.content
/** The gateway of `suture serve --demo`. */
export const isDemo = meta === 'demo'
export const mode = isDemo ? 'gateway' : meta === 'gateway' || meta === 'view' ? meta : 'static'

interface Target {
  readonly provider?: string | undefined
  readonly model?: string | undefined
}

/** The open document. The setter is for a change of it; `setDocument` opens another one. */
export const [info, updateDocument] = createSignal<DocumentInfo>()
export const [overview, setOverview] = createSignal<Overview>()
export const [conversation, setConversation] = createSignal('main')
/** Undefined: the provider and the model that the document names. */
export const [target, setTarget] = createSignal<Target>({})
/** The thread is shown as it is after the repair. */
export const [repaired, previewRepair] = createSignal(false)
/** The session of the gateway that is open. */
export const [session, setSession] = createSignal<string>()

/** Opens another document: its first conversation, for the provider that it names. */
export function setDocument(opened: DocumentInfo): void {
  updateDocument(opened)
  setConversation(opened.conversations[0]?.id ?? 'main')
  setTarget({})
  previewRepair(false)
}

/** Number of errors in the shown conversation. */
export function errorCount(): number {
  const all = overview()
  if (repaired()) return all?.remaining ?? 0
  return all?.findings.filter(({ severity }) => severity === 'error').length ?? 0
}
