/**
 * SHA-256 as Node does it: at once where it can, else by way of an object.
 */
import * as crypto from 'node:crypto'

type AtOnce = (algorithm: string, text: string, encoding: 'hex') => string

/** Node has it since 20.12 and 21.7. */
const { hash } = crypto as unknown as { hash?: AtOnce }

export function sha256(text: string): string {
  return hash ? hash('sha256', text, 'hex') : crypto.createHash('sha256').update(text, 'utf8').digest('hex')
}
