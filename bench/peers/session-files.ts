export async function sessionFileTable(progress: (line: string) => void): Promise<unknown> {
  progress('')
  return {}
}
