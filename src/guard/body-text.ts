/** A body as a caller has it: text that was not encoded yet, or bytes. */
export type BodyData = string | Uint8Array

const decoder = new TextDecoder()

export function textOf(body: BodyData): string {
  return typeof body === 'string' ? body : decoder.decode(body)
}
