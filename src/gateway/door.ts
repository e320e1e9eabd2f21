/**
 * Who is let in by the host and the origin they name, before any key is looked at.
 */
import type { Heads } from './headers.ts'
import { Problem } from './problem.ts'

const LOOPBACK = /^(localhost|([a-z0-9-]+\.)+localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

export class Door {
  /** Every request needs a key: then any host may be named. */
  private readonly keyed: boolean
  private readonly hosts: readonly string[]
  /** The host that was let in last. */
  private welcome: string | undefined

  constructor(keyed: boolean, hosts: readonly string[]) {
    this.keyed = keyed
    this.hosts = hosts.map(hostOf)
  }

  /** Without keys only this machine may ask, and no page of another origin: a browser would do it in its user's name. */
  admit(headers: Heads): void {
    if (comesTwice(headers, 'host')) throw new Problem('bad-request', 'Two hosts are named. Send one Host header.')
    if (comesTwice(headers, 'origin'))
      throw new Problem('bad-request', 'Two origins are named. Send one Origin header.')
    if (this.keyed) return
    const named = headers.get('host') ?? ''
    const origin = headers.get('origin')
    const site = headers.get('sec-fetch-site')
    if (origin === undefined && site === undefined && named === this.welcome) return
    const host = hostOf(named)
    if (!this.knows(host))
      throw new Problem(
        'wrong-host',
        'This gateway answers to localhost only. Name its other hosts with --host-name, or give it keys.',
      )
    if (origin === undefined ? isForeign(site, host) : !this.knows(hostOf(origin))) throw otherOrigin()
    if (site?.toLowerCase() === 'cross-site') throw otherOrigin()
    this.welcome = named
  }

  private knows(host: string): boolean {
    return LOOPBACK.test(host) || this.hosts.includes(host)
  }
}

/** Images, scripts, frames and links send no `Origin`; browsers say by `Sec-Fetch-Site` whose page they stand in. Of another site than ours is not known whose. */
function isForeign(site: string | undefined, host: string): boolean {
  const word = site?.toLowerCase()
  if (word === undefined || word === 'same-origin' || word === 'none') return false
  return word !== 'same-site' || !LOOPBACK.test(host)
}

function otherOrigin(): Problem {
  return new Problem('wrong-origin', 'Pages of other origins may not ask a gateway that needs no key.')
}

function comesTwice({ names }: Heads, name: string): boolean {
  return names.indexOf(name) !== names.lastIndexOf(name)
}

/** The host of an authority or an origin as all of them are compared: lower case, without scheme, port and the dot of the root. */
function hostOf(text: string): string {
  const authority = text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').toLowerCase()
  // An IPv6 address without brackets, as a configuration may have it.
  if (!authority.startsWith('[') && authority.indexOf(':') !== authority.lastIndexOf(':')) return `[${authority}]`
  return authority.replace(/:\d*$/, '').replace(/\.$/, '')
}
