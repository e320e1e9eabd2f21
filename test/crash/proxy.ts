/**
 * A proxy between a client and PostgreSQL that cuts connections around an append: before it is sent on, right after, or
 * when the answer is there.
 */
import { connect, createServer, type Socket } from 'node:net'

export type Cut = 'before' | 'after' | 'answered'

export interface CuttingProxy {
  readonly url: string
  /** Asked at each append; nothing: let it through. */
  cut: () => Cut | undefined
  readonly cuts: Record<Cut, number>
  close(): Promise<void>
}

export async function startProxy(url: string): Promise<CuttingProxy> {
  const target = new URL(url)
  const { port, hostname } = target
  const open = new Set<Socket>()
  const proxy = { cut: () => undefined as Cut | undefined, cuts: { before: 0, after: 0, answered: 0 } }
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', () => {}).once('close', () => open.delete(socket))
    }
    let answered = false
    client.on('data', (chunk) => {
      const isAppend = ['INSERT INTO suture_record', 'suture_append', 'FROM suture_begin'].some((one) =>
        chunk.includes(one),
      )
      const cut = isAppend ? proxy.cut() : undefined
      if (cut) proxy.cuts[cut]++
      if (cut === 'before') client.destroy()
      if (cut === 'before') return void upstream.destroy()
      if (cut === 'after') client.destroy()
      if (cut === 'after') return void upstream.end(chunk)
      answered = cut === 'answered'
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      if (answered) client.destroy()
      else client.write(chunk)
    })
    client.once('close', () => upstream.end())
    upstream.once('close', () => client.destroy())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  target.port = String((server.address() as { port: number }).port)
  const close = () =>
    new Promise<void>((done) => {
      for (const socket of open) socket.destroy()
      server.close(() => done())
    })
  return Object.assign(proxy, { url: target.href, close })
}
