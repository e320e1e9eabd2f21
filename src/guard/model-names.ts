/**
 * Names of models as labels of metrics. A caller writes any name into a request, so only those that a provider has answered to become labels,
 * and only so many of them; all others are `other`.
 */
const MOST = 100
const LONGEST = 100
const OTHER = 'other'

export class ModelNames {
  private readonly known = new Set<string>()

  /** A provider has answered to it. */
  admit(model: string): void {
    if (model.length <= LONGEST && this.known.size < MOST) this.known.add(model)
  }

  label(model: string): string {
    return this.known.has(model) ? model : OTHER
  }
}
