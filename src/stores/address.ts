/** Errors for wrong addresses of a store, with the next step. Quotes neither user nor password. */
import { SutureError } from '../core/index.ts'
import { suggest } from '../core/options.ts'

const FORMS = 'sqlite:<file>, postgres://<user>@<host>/<database>, or memory:'
const SCHEMES: Readonly<Record<string, string>> = {
  sqlite: 'The address "sqlite:" names no file. Write sqlite:./chats.db.',
  memory: 'The address of the memory store is "memory:", with nothing after it.',
  postgres: 'An address of PostgreSQL begins with postgres:// (two slashes).',
  postgresql: 'An address of PostgreSQL begins with postgresql:// (two slashes).',
}

export function wrongAddress(address: string): SutureError {
  const [scheme = ''] = address.split(':', 1)
  const message = SCHEMES[scheme] ?? `${unknown(address, scheme)} An address is ${FORMS}.`
  return new SutureError('bad-option', message)
}

function unknown(address: string, scheme: string): string {
  const near = address.includes(':') ? suggest(scheme, Object.keys(SCHEMES)) : undefined
  if (near !== undefined) return `No store has the scheme "${scheme}:". Did you mean "${near}:"?`
  const isFile = address.length <= 100 && !address.includes('@') && !address.includes('://')
  if (isFile) return `"${address}" is not the address of a store. Did you mean "sqlite:${address}"?`
  return `No store has the scheme "${scheme.slice(0, 40)}:".`
}
