/** SHA-256 of Node: in one call if available, otherwise with a hash object. */
import * as crypto from 'node:crypto'

type AtOnce = (algorithm: string, text: string, encoding: 'hex') => string

/** Available since Node 20.12 and 21.7. */
const { hash } = crypto as unknown as { hash?: AtOnce }

export function sha256(text: string): string {
  return hash ? hash('sha256', text, 'hex') : crypto.createHash('sha256').update(text, 'utf8').digest('hex')
}
