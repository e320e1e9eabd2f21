/** A bounded cache: the entry that was not used for the longest time is dropped first, and every entry expires. */
export class LruCache<V> {
  private readonly kept = new Map<string, { readonly value: V; readonly at: number }>()
  private readonly most: number
  private readonly age: number

  constructor(most: number, age = Number.POSITIVE_INFINITY) {
    this.most = most
    this.age = age
  }

  get(key: string): V | undefined {
    const found = this.kept.get(key)
    if (!found) return undefined
    this.kept.delete(key)
    if (performance.now() - found.at > this.age) return undefined
    this.kept.set(key, found)
    return found.value
  }

  set(key: string, value: V): void {
    this.kept.delete(key)
    this.kept.set(key, { value, at: performance.now() })
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= this.most) return
      this.kept.delete(oldest)
    }
  }

  delete(key: string): void {
    this.kept.delete(key)
  }
}
