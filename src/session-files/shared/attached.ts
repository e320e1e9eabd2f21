/**
 * A value for an object, like an entry of a WeakMap, but stored on the object itself. V8 frees values of a WeakMap only
 * in a full collection: over many files that cost more than parsing them.
 */
export class Attached<K extends object, V> {
  private readonly key = Symbol('attached')

  get(owner: K): V | undefined {
    return (owner as { readonly [key: symbol]: V | undefined })[this.key]
  }

  /** Not enumerable: a copy of the object does not have it. */
  set(owner: K, value: V): void {
    Object.defineProperty(owner, this.key, { value, configurable: true })
  }
}
