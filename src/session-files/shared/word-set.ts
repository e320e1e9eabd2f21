/** The words of a table of names, separated by white space. */
export function wordSet(table: string): ReadonlySet<string> {
  return new Set(table.trim().split(/\s+/))
}
