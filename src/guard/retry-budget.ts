/**
 * How often the same bytes may be sent again, over all requests of one guard and over the retries of the client itself.
 * Without it the two multiply: five sends for each of a client's three attempts. What is not sent again is the caller's to retry.
 */

/** So many resends a provider may be ahead of its answers. */
const AHEAD = 100
/** A request that comes again so soon after it was given up is its client's own retry. */
const SOON = 120_000
/** So many given-up requests are remembered; the oldest go first. */
const MOST = 1_000

/** SDKs made by Stainless (OpenAI, Anthropic and others) count their retries here. */
const COUNTED = 'x-stainless-retry-count'

export class RetryBudget {
  /** Resends of each provider that no answer has made up for yet. */
  private readonly ahead = new Map<string, number>()
  /** When each request was given up, by its fingerprint. */
  private readonly given = new Map<string, number>()
  private readonly now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.now = now
  }

  /** Whether this request may be sent once more as it is; that counts then. */
  takes(provider: string, print: string, headers: { get(name: string): string | null }): boolean {
    const ahead = this.ahead.get(provider) ?? 0
    if (ahead >= AHEAD || this.isRetry(print, headers)) return false
    this.ahead.set(provider, ahead + 1)
    return true
  }

  /** The provider has answered a request well. */
  answered(provider: string): void {
    if (this.ahead.size === 0) return
    const ahead = this.ahead.get(provider)
    if (ahead === undefined) return
    if (ahead > 1) this.ahead.set(provider, ahead - 1)
    else this.ahead.delete(provider)
  }

  /** The provider's error went back to the caller. */
  gaveUp(print: string): void {
    this.given.delete(print)
    this.given.set(print, this.now())
    if (this.given.size > MOST) for (const oldest of this.given.keys()) return void this.given.delete(oldest)
  }

  private isRetry(print: string, headers: { get(name: string): string | null }): boolean {
    if (Number(headers.get(COUNTED) ?? 0) > 0) return true
    const at = this.given.get(print)
    return at !== undefined && this.now() - at < SOON
  }
}
