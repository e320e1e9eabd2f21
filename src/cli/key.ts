/**
 * `suture key`: makes a key of the gateway. The key is shown once; only its hash is configured.
 */
import { randomBytes } from 'node:crypto'
import { SutureError } from '../core/index.ts'
import { hashOf } from '../gateway/index.ts'

export function key(args: readonly string[], print: (text: string) => void): number {
  const [name = 'client'] = args
  if (!/^[\w.-]+$/.test(name))
    throw new SutureError('bad-option', 'A key’s name has letters, digits, dots and dashes only.', { name })
  const made = `sk-suture-${randomBytes(24).toString('base64url')}`
  print(`key        ${made}\nconfigure  --key ${name}=${hashOf(made)}`)
  return 0
}
