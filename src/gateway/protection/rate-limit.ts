/** Rate limit of keys: a token bucket for each. In memory: each gateway counts for itself. */
import { GatewayError } from '../gateway-error.ts'

const MOST = 100_000

export class RateLimit {
  private readonly buckets = new Map<string, { left: number; at: number }>()

  /** Takes a token, or rejects with the time until the next one. */
  take(scope: string, perMinute: number): void {
    const now = performance.now()
    const bucket = this.buckets.get(scope) ?? { left: perMinute, at: now }
    bucket.left = Math.min(perMinute, bucket.left + ((now - bucket.at) / 60_000) * perMinute)
    bucket.at = now
    if (this.buckets.size >= MOST) this.buckets.clear()
    this.buckets.set(scope, bucket)
    if (bucket.left < 1) {
      const seconds = Math.ceil(((1 - bucket.left) * 60) / perMinute)
      const message = `This key is limited to ${perMinute} requests per minute. Retry in ${seconds} s.`
      throw new GatewayError('rate-limited', message, { 'retry-after': String(seconds) })
    }
    bucket.left--
  }
}
