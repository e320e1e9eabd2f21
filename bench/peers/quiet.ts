/** Runs a function while the console is silent: some peers log every repair. */
export async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const names = ['log', 'info', 'warn', 'error', 'debug'] as const
  const kept = names.map((name) => console[name])
  for (const name of names) console[name] = () => {}
  try {
    return await work()
  } finally {
    names.forEach((name, i) => {
      console[name] = kept[i]!
    })
  }
}
