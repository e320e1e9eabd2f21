/**
 * What a file has beside its bytes is kept by a repair and its undo, or the repair says that it cannot. A clock that
 * jumps costs no backup.
 */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LONG } from '../long-runs.ts'
import { type Cli, cli, tornSession } from './harness.ts'

let suture: Cli
let next = 0

beforeAll(async () => {
  suture = await cli()
})
afterAll(() => suture.close())

function torn(): { readonly path: string; readonly bytes: Buffer } {
  const id = `${(0xb0000000 + next++).toString(16)}-2222-4333-8444-555555555555`
  const path = suture.put(`.claude/projects/-p/${id}.jsonl`, tornSession(id))
  return { path, bytes: readFileSync(path) }
}

const python = (code: string, ...args: string[]) => spawnSync('python3', ['-c', code, ...args], { encoding: 'utf8' })
const canSetAttributes =
  process.platform === 'linux' &&
  python('import os, sys; os.setxattr(sys.argv[1], "user.suture", b"x")', import.meta.filename).status === 0
if (canSetAttributes) python('import os, sys; os.removexattr(sys.argv[1], "user.suture")', import.meta.filename)

it('a file with another name (hard link) is not written, with --force neither, and both names keep their bytes', async () => {
  const { path, bytes } = torn()
  linkSync(path, `${path}.copy`)
  for (const flags of [['--write'], ['--write', '--force']]) {
    const { code, err } = await suture.run(['repair', path, ...flags])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('2 names (hard links)') })
  }
  expect(readFileSync(path)).toEqual(bytes)
  expect(statSync(path).ino).toBe(statSync(`${path}.copy`).ino)
  rmSync(`${path}.copy`)
  expect((await suture.run(['repair', path, '--write'])).code).toBe(0)
  linkSync(path, `${path}.copy`)
  const repaired = readFileSync(path)
  expect(await suture.run(['undo', path])).toMatchObject({ code: 3, err: expect.stringContaining('hard links') })
  expect(readFileSync(path)).toEqual(repaired)
})

it('a read-only file is written only with --force, by repair and by undo, and stays read-only', async () => {
  const { path, bytes } = torn()
  chmodSync(path, 0o444)
  const declined = { code: 2, err: expect.stringMatching(/read-only \(mode 444\)\. Make it writable .* --force/) }
  expect(await suture.run(['repair', path, '--write'])).toMatchObject(declined)
  expect(readFileSync(path)).toEqual(bytes)
  expect((await suture.run(['repair', path, '--write', '--force'])).code).toBe(0)
  expect(statSync(path).mode & 0o777).toBe(0o444)
  const repaired = readFileSync(path)
  expect(repaired).not.toEqual(bytes)
  expect(await suture.run(['undo', path])).toMatchObject(declined)
  expect(readFileSync(path)).toEqual(repaired)
  expect((await suture.run(['undo', path, '--force'])).code).toBe(0)
  expect(readFileSync(path)).toEqual(bytes)
})

it('a folder of backups that is none is named, with the next step, and nothing is written', async () => {
  const { path, bytes } = torn()
  const file = suture.put('no-folder', 'x')
  const pipe = join(suture.home, 'pipe')
  if (process.platform !== 'win32') spawnSync('sh', ['-c', 'mkfifo "$@"', 'sh', pipe])
  const odd = process.platform === 'win32' ? [file] : [file, join(file, 'below'), pipe, '/dev/null', '/proc/none']
  for (const state of odd) {
    const { code, err } = await suture.run(['repair', path, '--write'], { env: { SUTURE_STATE_DIR: state } })
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(/cannot be made \(E[A-Z]+\)\..* SUTURE_STATE_DIR /),
    })
    if (state === '/proc/none') continue
    // A folder that cannot be read is not taken for one without repairs.
    for (const args of [
      ['undo', '--list'],
      ['undo', path],
      ['undo', '--entry', '2026'],
    ])
      expect(await suture.run(args, { env: { SUTURE_STATE_DIR: state } })).toMatchObject({
        code: 2,
        err: expect.stringMatching(/cannot be read \(E[A-Z]+\)\..* SUTURE_STATE_DIR /),
      })
  }
  expect(readFileSync(path)).toEqual(bytes)
})

it.skipIf(!canSetAttributes)(
  'extended attributes, access lists and owner are kept (Linux, needs python3 to set them)',
  async () => {
    const { path, bytes } = torn()
    const set = `
import os, struct, sys
path = sys.argv[1]
os.setxattr(path, 'user.note', b'mine')
entries = [(1, 6, 0xffffffff), (2, 4, 12345), (4, 0, 0xffffffff), (16, 4, 0xffffffff), (32, 0, 0xffffffff)]
os.setxattr(path, 'system.posix_acl_access', struct.pack('<I', 2) + b''.join(struct.pack('<HHI', *one) for one in entries))
if os.getuid() == 0: os.chown(path, 1234, 1235)
`
    const get = `
import os, sys
path = sys.argv[1]
found = os.stat(path)
print({name: os.getxattr(path, name) for name in sorted(os.listxattr(path))}, found.st_uid, found.st_gid, oct(found.st_mode), found.st_mtime_ns)
`
    expect(python(set, path).stderr).toBe('')
    const old = python(get, path).stdout
    expect(old).toContain('posix_acl_access')
    expect((await suture.run(['repair', path, '--write'])).code).toBe(0)
    expect(readFileSync(path)).not.toEqual(bytes)
    expect(python(get, path).stdout).toBe(old)
    expect((await suture.run(['undo', path])).code).toBe(0)
    expect(python(get, path).stdout).toBe(old)
  },
)

it('undo finds a file by its own name and by any link to it or to its folder', async () => {
  const links = join(suture.home, 'links')
  mkdirSync(links)
  symlinkSync(join(suture.home, '.claude/projects/-p'), join(links, 'folder'))
  const names = (path: string) => {
    const link = join(links, `${next}.jsonl`)
    const folder = join(links, 'folder', path.split('/').at(-1)!)
    rmSync(link, { force: true })
    symlinkSync(path, link)
    return [path, link, folder]
  }
  const ways = [
    [2, 1],
    [1, 0],
    [0, 1],
  ] as const
  for (const [repaired, undone] of LONG ? ways : ways.slice(0, 1)) {
    const { path, bytes } = torn()
    expect((await suture.run(['repair', names(path)[repaired]!, '--write'])).code).toBe(0)
    expect((await suture.run(['undo', names(path)[undone]!])).code, `${repaired} ${undone}`).toBe(0)
    expect(readFileSync(path)).toEqual(bytes)
  }
})

/** The times of the entries as if the clock had been wrong when they were written. */
function shift(state: string, days: (index: number) => number): void {
  const folder = join(state, 'backups')
  for (const [index, id] of readdirSync(folder).sort().entries()) {
    const path = join(folder, id, 'entry.json')
    const entry = JSON.parse(readFileSync(path, 'utf8'))
    entry.at = new Date(Date.parse(entry.at) + days(index) * 86_400_000).toISOString()
    writeFileSync(path, JSON.stringify(entry))
  }
}

/** The last one has both directions. */
const JUMPS = [
  ['forward by years', () => -4000],
  ['back by years', () => 4000],
  ['forth and back between writes', (index: number) => (index % 2 === 0 ? 4000 : -4000)],
] as const

it.each(LONG ? JUMPS : JUMPS.slice(2))(
  'a clock that jumps %s deletes no backup, and undo takes the latest write',
  async (_name, days) => {
    const state = join(suture.home, `state-${next}`)
    const env = { SUTURE_STATE_DIR: state }
    const first = torn()
    const second = torn()
    for (const { path } of [first, second]) await suture.run(['repair', path, '--write'], { env })
    await suture.run(['undo', second.path], { env })
    await suture.run(['repair', second.path, '--write'], { env })
    shift(state, days)
    const third = torn()
    expect((await suture.run(['repair', third.path, '--write'], { env })).code).toBe(0)
    for (const { path, bytes } of [third, second, first]) {
      expect((await suture.run(['undo', path], { env })).code).toBe(0)
      expect(readFileSync(path)).toEqual(bytes)
    }
  },
)

it('backups are removed after 30 days on which files were written', async () => {
  const state = join(suture.home, 'state-old')
  const env = { SUTURE_STATE_DIR: state }
  const first = torn()
  await suture.run(['repair', first.path, '--write'], { env })
  const [id] = readdirSync(join(state, 'backups'))
  const entry = JSON.parse(readFileSync(join(state, 'backups', id!, 'entry.json'), 'utf8'))
  for (let day = 1; day <= 31; day++) {
    const folder = join(state, 'backups', `later-${day}`)
    mkdirSync(folder)
    const at = new Date(Date.parse(entry.at) + day * 86_400_000).toISOString()
    writeFileSync(join(folder, 'entry.json'), JSON.stringify({ ...entry, id: `later-${day}`, at, order: day + 1 }))
  }
  await suture.run(['repair', torn().path, '--write'], { env })
  expect(readdirSync(join(state, 'backups'))).not.toContain(id)
  expect(readdirSync(join(state, 'backups'))).toContain('later-31')
})
