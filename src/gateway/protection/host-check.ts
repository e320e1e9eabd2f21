/** Admits requests by host and origin, before any key is read. */

import { GatewayError } from '../gateway-error.ts'
import type { HeaderList } from '../http/index.ts'

const LOOPBACK = /^(localhost|([a-z0-9-]+\.)+localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

export class HostCheck {
  /** Every request needs a key: then any host is accepted. */
  private readonly keyed: boolean
  private readonly hosts: readonly string[]
  /** The host that was accepted last. */
  private welcome: string | undefined

  constructor(keyed: boolean, hosts: readonly string[]) {
    this.keyed = keyed
    this.hosts = hosts.map(hostOf)
  }

  /** Without keys only this machine may send requests, and no page of another origin, which would use its rights. */
  check(headers: HeaderList): void {
    if (comesTwice(headers, 'host'))
      throw new GatewayError('bad-request', 'The request has two Host headers. Send one.')
    if (comesTwice(headers, 'origin'))
      throw new GatewayError('bad-request', 'The request has two Origin headers. Send one.')
    if (this.keyed) return
    const named = headers.get('host') ?? ''
    const origin = headers.get('origin')
    const site = headers.get('sec-fetch-site')
    if (origin === undefined && site === undefined && named === this.welcome) return
    const host = hostOf(named)
    if (!this.knows(host))
      throw new GatewayError(
        'wrong-host',
        'This gateway accepts requests to localhost only. Add other host names with --host-name, or configure keys.',
      )
    if (origin === undefined ? isForeign(site, host) : !this.knows(hostOf(origin))) throw otherOrigin()
    if (site?.toLowerCase() === 'cross-site') throw otherOrigin()
    this.welcome = named
  }

  /** The session API is for the gateway's own page: without keys, pages of other ports are rejected as well. */
  checkOwnPage(headers: HeaderList): void {
    if (this.keyed) return
    const site = headers.get('sec-fetch-site')?.toLowerCase()
    const origin = headers.get('origin')
    if (site !== undefined ? site !== 'same-origin' && site !== 'none' : isOtherAuthority(origin, headers.get('host')))
      throw otherOrigin()
  }

  private knows(host: string): boolean {
    return LOOPBACK.test(host) || this.hosts.includes(host)
  }
}

/**
 * Images, scripts, frames and links send no `Origin`; browsers report the site of their page in `Sec-Fetch-Site`.
 * `same-site` does not tell which host of the site.
 */
function isForeign(site: string | undefined, host: string): boolean {
  const word = site?.toLowerCase()
  if (word === undefined || word === 'same-origin' || word === 'none') return false
  return word !== 'same-site' || !LOOPBACK.test(host)
}

function isOtherAuthority(origin: string | undefined, host = ''): boolean {
  return origin !== undefined && origin.toLowerCase().replace(/^[a-z][a-z0-9+.-]*:\/\//, '') !== host.toLowerCase()
}

function otherOrigin(): GatewayError {
  return new GatewayError(
    'wrong-origin',
    'Web pages of other origins may not use a gateway without keys. Configure keys.',
  )
}

function comesTwice({ names }: HeaderList, name: string): boolean {
  return names.indexOf(name) !== names.lastIndexOf(name)
}

/** The host of an authority or an origin in a comparable form: lower case, without scheme, port and final dot. */
function hostOf(text: string): string {
  const authority = text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').toLowerCase()
  // An IPv6 address without brackets, as a configuration may have it.
  if (!authority.startsWith('[') && authority.indexOf(':') !== authority.lastIndexOf(':')) return `[${authority}]`
  return authority.replace(/:\d*$/, '').replace(/\.$/, '')
}
