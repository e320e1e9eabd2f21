/** Downloads, and copies to the clipboard. */
import type { CopyFormat } from '../worker/protocol.ts'
import { client } from './client.ts'
import { attempt, notify } from './status.ts'

export async function download(what: 'file' | 'patch'): Promise<void> {
  await attempt(async () => {
    const { name, bytes } = await client.download(what)
    const url = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/octet-stream' }))
    const link = Object.assign(document.createElement('a'), { href: url, download: name })
    link.click()
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
  })
}

export async function copyAs(as: CopyFormat): Promise<void> {
  await attempt(async () => {
    await copyText(await client.copy(as))
    notify(`Copied as ${as === 'curl' ? 'cURL' : as === 'test' ? 'test case' : 'request'}.`)
  })
}

/** A page over plain HTTP from another machine has no clipboard API: the text is copied from a field. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = Object.assign(document.createElement('textarea'), { value: text })
  document.body.append(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  if (!done) throw new Error('The browser does not allow copying here. Open the raw JSON, and copy it from there.')
}
