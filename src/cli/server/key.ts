/**
 * `suture key`: makes a key of the gateway. The key is shown once; only its hash is configured.
 */
import { randomBytes } from 'node:crypto'
import { SutureError } from '../../core/index.ts'
import { hashOf } from '../../gateway/index.ts'

export function key(args: readonly string[], print: (text: string) => void): number {
  const [name = 'client', ...more] = args
  if (name === '--help' || name === '-h') {
    print('suture key NAME    makes a key of the gateway, and the hash that configures it')
    return 0
  }
  if (!/^\w[\w.-]*$/.test(name) || more.length > 0)
    throw new SutureError('bad-option', 'A key has one name of letters, digits, dots and dashes: `suture key NAME`.', {
      name,
    })
  const made = `sk-suture-${randomBytes(24).toString('base64url')}`
  print(`key        ${made}\nconfigure  --key ${name}=${hashOf(made)}`)
  return 0
}
