import { closeSync, existsSync, mkdtempSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { doctorReport } from '../../cli/doctor/doctor-report.ts'
import { unreadable } from '../../cli/doctor/report.ts'
import { currentHost } from './host.ts'
import { OpenHandles } from './open-handles.ts'

const lists = vi.hoisted(() => ({ ofProcesses: 0 }))
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  const readdirSync = (path: string) => {
    if (path === '/proc') lists.ofProcesses++
    return fs.readdirSync(path)
  }
  return { ...fs, readdirSync }
})

const folder = mkdtempSync(join(tmpdir(), 'suture-handles-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(!existsSync('/proc/self/fd'))('open handles (skipped: no /proc)', () => {
  it('a writer is found while it has the file open, also after the file was replaced; a reader is not', () => {
    const path = join(folder, 'session.jsonl')
    writeFileSync(path, 'a')
    const old = statSync(path)
    const found = () => new OpenHandles().writerOf(old, 'session.jsonl')
    const reader = openSync(path, 'r')
    expect(found()).toBeUndefined()
    const writer = openSync(path, 'a')
    expect(found()).toBe(process.pid)
    writeFileSync(`${path}.new`, 'b')
    renameSync(`${path}.new`, path)
    expect(found()).toBe(process.pid)
    expect(new OpenHandles().writerOf(statSync(path), 'session.jsonl')).toBeUndefined()
    closeSync(reader)
    closeSync(writer)
    expect(found()).toBeUndefined()
  })

  it('a report on many broken sessions lists the processes once', () => {
    const files = Array.from({ length: 20 }, (_, i) => {
      const path = join(folder, `${i}.jsonl`)
      writeFileSync(path, '')
      return unreadable(path, 'It is broken.', { size: 0, mtimeMs: 0 })
    })
    lists.ofProcesses = 0
    const view = { all: true, host: currentHost() }
    const options = { withText: false, colors: false, quiet: false, maxFindings: 20, cwd: folder }
    doctorReport(view)({ command: 'doctor', version: '0', files, leftOut: 0 }, options)
    expect(lists.ofProcesses).toBe(1)
  })
})
