/**
 * Limits how often the same bytes are sent again, over all requests of one guard and including the client's own
 * retries. Without it the two multiply: five sends for each of a client's three attempts.
 */

/** Resends that a provider may be ahead of its good responses. */
const AHEAD = 100
/** The same request this soon after its error is the client's own retry. */
const SOON = 120_000
/** Number of failed requests that are remembered; the oldest are dropped first. */
const MOST = 1_000

/** SDKs made by Stainless (OpenAI, Anthropic and others) count their retries here. */
const COUNTED = 'x-stainless-retry-count'

export class RetryBudget {
  /** Resends of each provider that are not yet offset by a good response. */
  private readonly ahead = new Map<string, number>()
  /** When each request failed, by its fingerprint. */
  private readonly given = new Map<string, number>()
  private readonly now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.now = now
  }

  /** Whether this request may be sent again unchanged; if so, it is counted. */
  takes(provider: string, print: string, headers: { get(name: string): string | null }): boolean {
    const ahead = this.ahead.get(provider) ?? 0
    if (ahead >= AHEAD || this.isRetry(print, headers)) return false
    this.ahead.set(provider, ahead + 1)
    return true
  }

  /** The provider has sent a good response. */
  answered(provider: string): void {
    const ahead = this.ahead.get(provider)
    if (ahead) this.ahead.set(provider, ahead - 1)
  }

  /** The provider's error went to the caller. */
  gaveUp(print: string): void {
    this.given.delete(print)
    this.given.set(print, this.now())
    const [oldest] = this.given.keys()
    if (this.given.size > MOST) this.given.delete(oldest!)
  }

  private isRetry(print: string, headers: { get(name: string): string | null }): boolean {
    if (Number(headers.get(COUNTED) ?? 0) > 0) return true
    const at = this.given.get(print)
    return at !== undefined && this.now() - at < SOON
  }
}
