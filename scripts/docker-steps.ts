/**
 * Runs the steps of docker/Dockerfile without a Docker engine: each stage is a folder, RUN is a shell in it, on the Node that the image has.
 * Then starts the ENTRYPOINT, as another user than root, and runs the HEALTHCHECK against it. Says nothing about the system packages of the image.
 * Usage: npm run docker:steps
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { copyOf, listOf, type Stage, stagesOf } from './docker/dockerfile.ts'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'suture-docker-'))
const ATTEMPTS = 60

/** What a stage has when its steps are done. */
interface Built {
  /** The folder that is / in the image. */
  readonly base: string
  readonly workdir: string
  readonly env: NodeJS.ProcessEnv
  readonly entrypoint: readonly string[]
  readonly healthcheck: readonly string[]
}

try {
  const stages = stagesOf(readFileSync(join(root, 'docker/Dockerfile'), 'utf8'))
  // The rest of the environment stays, for npm's own settings: a mirror, a certificate.
  const path = `${nodeOf(stages[0]!.image)}${delimiter}${process.env['PATH']}`
  const built = new Map<string, Built>()
  let last: Built | undefined
  for (const [i, stage] of stages.entries()) {
    last = steps(stage, join(folder, String(i)), { ...process.env, PATH: path }, built)
    if (stage.name) built.set(stage.name, last)
  }
  await started(last!)
  console.log('The steps ran, and the gateway is healthy.')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The folder of the Node that node:22-slim has, from the npm package `node`. */
function nodeOf(image: string): string {
  const major = /^node:(\d+)/.exec(image)![1]!
  const place = join(folder, 'node')
  const name = `node-${process.platform}-${process.arch}`
  mkdirSync(place)
  writeFileSync(join(place, 'package.json'), '{ "private": true }\n')
  shell(`npm install --no-audit --no-fund --loglevel=error --ignore-scripts ${name}@${major}`, place, process.env)
  const bin = join(place, 'node_modules', name, 'bin')
  console.log(`${image}: Node ${execFileSync(join(bin, 'node'), ['--version'], { encoding: 'utf8' }).trim()}`)
  return bin
}

function steps(
  { instructions }: Stage,
  base: string,
  given: NodeJS.ProcessEnv,
  built: ReadonlyMap<string, Built>,
): Built {
  let workdir = base
  const env = { ...given }
  let [entrypoint, healthcheck]: (readonly string[])[] = [[], []]
  for (const { name, text } of instructions) {
    console.log(`${name} ${text.slice(0, 140)}`)
    if (name === 'WORKDIR') workdir = join(base, text)
    if (name === 'WORKDIR') mkdirSync(workdir, { recursive: true })
    if (name === 'ENV') Object.assign(env, { [text.split('=')[0]!]: text.slice(text.indexOf('=') + 1) })
    if (name === 'COPY') copy(text, base, workdir, built)
    if (name === 'RUN') shell(text, workdir, env)
    if (name === 'ENTRYPOINT') entrypoint = listOf(text)
    if (name === 'HEALTHCHECK') healthcheck = listOf(text)
  }
  return { base, workdir, env, entrypoint: entrypoint!, healthcheck: healthcheck! }
}

function copy(text: string, base: string, workdir: string, built: ReadonlyMap<string, Built>): void {
  const { from, paths, to } = copyOf(text)
  for (const path of paths) {
    const source = from === undefined ? join(root, path) : join(built.get(from)!.base, path)
    const target = to.startsWith('/') ? join(base, to) : join(workdir, to)
    if (path === '.') context(target)
    else cpSync(source, to.endsWith('/') ? join(target, path.split('/').at(-1)!) : target, { recursive: true })
  }
}

/** What the engine gets of this folder: the files of the repository, without those in .dockerignore. */
function context(target: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n').filter(Boolean)
  const isIgnored = (file: string) => ignored.some((one) => file.split('/').includes(one.replace('**/', '')))
  for (const file of listed.split('\0').filter((one) => one !== '' && !isIgnored(one) && existsSync(join(root, one)))) {
    mkdirSync(dirname(join(target, file)), { recursive: true })
    cpSync(join(root, file), join(target, file))
  }
}

function shell(command: string, cwd: string, env: NodeJS.ProcessEnv): void {
  const { status } = spawnSync('/bin/sh', ['-c', command], { cwd, env, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ended with ${status}.`)
}

async function started({ base, workdir, env, entrypoint, healthcheck }: Built): Promise<void> {
  // Files of the image are named from its root.
  const [command, ...args] = entrypoint.map((word) =>
    existsSync(join(base, word)) && word !== '' ? join(base, word) : word,
  )
  const options = { cwd: workdir, env: { ...env, SUTURE_KEY: `docker=sha256:${'0'.repeat(64)}` }, ...owner(workdir) }
  console.log(`ENTRYPOINT ${entrypoint.join(' ')}`)
  const gateway = spawn(command!, args, { ...options, stdio: 'inherit' })
  try {
    for (let attempt = 1; ; attempt++) {
      const { status } = spawnSync(healthcheck[0]!, healthcheck.slice(1), { ...options, stdio: 'inherit' })
      if (status === 0) return
      if (attempt === ATTEMPTS || gateway.exitCode !== null) throw new Error('The HEALTHCHECK failed.')
      await pause(250)
    }
  } finally {
    gateway.kill()
  }
}

/** The user of the image owns its home and nothing else. */
function owner(home: string): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {}
  // Of the user `node` in the image.
  const user = { uid: 1000, gid: 1000 }
  chmodSync(folder, 0o755)
  chownSync(home, user.uid, user.gid)
  return user
}
