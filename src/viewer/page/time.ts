/** Times as the page writes them. All rows share one formatter, since making one is slow. */
const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })

export function timeOf(at: number): string {
  return full.format(at)
}

/** Without the date, for times of the last day. */
export function clockOf(at: number): string {
  return Date.now() - at < 86_400_000 ? clock.format(at) : full.format(at)
}
