/**
 * Who is let in by the host and the origin they name, before any key is looked at.
 */
import type { Heads } from './headers.ts'
import { Problem } from './problem.ts'

const LOOPBACK = /^(localhost|([a-z0-9-]+\.)+localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i

export class Door {
  /** Every request needs a key: then any host may be named. */
  private readonly keyed: boolean
  private readonly hosts: readonly string[]
  /** The host that was let in last. */
  private welcome: string | undefined

  constructor(keyed: boolean, hosts: readonly string[]) {
    this.keyed = keyed
    this.hosts = hosts
  }

  /** Without keys only this machine may ask, and no page of another origin: a browser would do it in its user's name. */
  admit(headers: Heads): void {
    const { names } = headers
    if (names.indexOf('host') !== names.lastIndexOf('host'))
      throw new Problem('bad-request', 'Two hosts are named. Send one Host header.')
    if (this.keyed) return
    const named = headers.get('host') ?? ''
    const origin = headers.get('origin')
    if (origin === undefined && named === this.welcome) return
    if (!this.knows(hostOf(named)))
      throw new Problem(
        'wrong-host',
        'This gateway answers to localhost only. Name its other hosts with --host-name, or give it keys.',
      )
    this.welcome = named
    if (origin !== undefined && !this.knows(hostOf(origin.replace(/^[a-z+.-]+:\/\//i, ''))))
      throw new Problem('wrong-origin', 'Pages of other origins may not ask a gateway that needs no key.')
  }

  private knows(host: string): boolean {
    return LOOPBACK.test(host) || this.hosts.includes(host)
  }
}

function hostOf(authority: string): string {
  return authority.replace(/:\d+$/, '').toLowerCase()
}
