/**
 * A process that appends records to a session as fast as it can while it is repaired, in one of the ways that agents
 * have.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * Opens the file for each record; holds it open for the whole session; writes the whole file again, in place or by a
 * rename.
 */
export type Way = 'each record' | 'held open' | 'rewritten' | 'renamed'

const SCRIPT = `
const fs = require('node:fs')
const ways = {
  'each record': (path) => (line) => fs.appendFileSync(path, line),
  'held open': (path) => {
    const file = fs.openSync(path, 'a')
    return Object.assign((line) => fs.writeSync(file, line), { close: () => fs.closeSync(file) })
  },
  'rewritten': (path) => { let text = fs.readFileSync(path, 'utf8'); return (line) => fs.writeFileSync(path, (text += line)) },
  'renamed': (path) => {
    let text = fs.readFileSync(path, 'utf8')
    return (line) => { fs.writeFileSync(path + '.new', (text += line)); fs.renameSync(path + '.new', path) }
  },
}
let isOn = false
let close = () => {}
let count = 0
let timer
process.on('message', ({ way, path, after }) => {
  if (way === undefined) {
    isOn = false
    clearTimeout(timer)
    close()
    process.send({ count })
    return
  }
  isOn = true
  count = 0
  close = () => {}
  timer = setTimeout(() => run(way, ways[way](path)), after)
})
function run(way, append) {
  close = append.close ?? (() => {})
  const step = () => {
    if (!isOn) return
    for (let i = 0; i < 10; i++) {
      append(JSON.stringify({ type: 'summary', summary: 'appended ' + ++count, leafUuid: 'x' }) + '\\n')
      if (count === 1) process.send({ begun: true })
      if (way.startsWith('re')) break
    }
    setImmediate(step)
  }
  step()
}
`

export class AppendingAgent {
  private readonly child: ChildProcess = spawn(process.execPath, ['-e', SCRIPT], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })

  /**
   * Appends from now on, or after this many milliseconds. Resolves when the first record is written; with a delay, at
   * once.
   */
  async start(way: Way, path: string, after = 0): Promise<void> {
    this.child.send({ way, path, after })
    if (after === 0) await once(this.child, 'message')
  }

  /** How many records it has appended. */
  async stop(): Promise<number> {
    this.child.send({})
    for (;;) {
      const [{ count }] = (await once(this.child, 'message')) as [{ count?: number }]
      if (count !== undefined) return count
    }
  }

  end(): void {
    this.child.kill()
  }
}
