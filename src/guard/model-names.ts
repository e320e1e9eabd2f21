/**
 * Model names as labels of metrics. A request may contain any name, so only names that a provider has answered to
 * become labels, up to a maximum; all others are `other`.
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
