/** The rows of docs/benchmarks.md: figures that a user can compare with something. At most 30. */
import type { Figure } from './figures.ts'

export interface UserRow {
  readonly work: string
  readonly cost: string
  readonly why: string
}

/** What is done, the name of the figure, and what it is compared with. */
type Row = readonly [work: string, name: RegExp, why: string, text?: (value: number) => string]

const times = (value: number) => `${value} ×`
const share = (value: number) => `${Math.round(value * 100)} %`
const CALL = 'a model call: 1,000 ms and more'
const PARSE = 'JSON.parse of the same conversation'

/** By the group of the figures. Of those whose name fits, the worst is shown. */
export const ROWS: Readonly<Record<string, readonly Row[]>> = {
  bundle: [
    ['`import { repair } from "suture"`, gzipped', /^import /, 'what a page loads'],
    ['the same with one provider and its rules', /rules it has/, ''],
  ],
  guard: [
    ['a valid request of 100 kB', /^added to a request: 100 kB/, CALL],
    ['a valid request of 1 MB', /^added to a request: 1000 kB/, CALL],
    ['a valid request of 100 kB', /^valid requests.*: 100 kB/, 'decoding and parsing it', times],
    ['a repaired request of 1 MB', /^repaired/, 'a valid one', times],
    ['a request of 2 kB over loopback', /loopback/, 'bare `fetch`', times],
    ['an event of a stream', /1 events per chunk$/, 'a model sends 20 to 200 a second'],
  ],
  core: [
    ['lint: one long valid history', /^lint of one long/, PARSE, share],
    ['lint: real conversations one by one', /^lint of conversations/, 'JSON.parse of each and of 2 kB', share],
    ['repair: conversations with one fault', /^repair of conversations/, 'JSON.parse of each and of 2.9 kB', share],
  ],
  compaction: [['a plan, nothing cached', /cold/, PARSE, times]],
  gateway: [
    ['requests of 2 kB a second', /^valid.* 2 kB/, 'a proxy that only parses', times],
    ['requests of 100 kB a second', /^valid.* 100 kB/, 'a proxy that only parses', times],
    ['requests of 1 MB a second', /^valid.* 1000 kB/, 'a proxy that only parses', times],
    ['requests of 2 kB a second', /Portkey.* 2 kB/, 'Portkey', times],
    ['requests of 100 kB a second', /Portkey.* 100 kB/, 'Portkey', times],
    ['requests of 1 MB a second', /Portkey.* 1000 kB/, 'Portkey', times],
    ['the first byte of a stream', /first byte/, 'without the gateway'],
    ['from an abort to the closed upstream', /abort/, ''],
  ],
  stores: [
    ['appends to SQLite a second, `FULL`', /^sqlite full/, 'a bare insert', times],
    ['appends to PostgreSQL a second, 16 sessions', /^postgres, as it comes/, 'bare inserts', times],
    ['an append at 100,000 entries', /^growth: append/, 'at 1,000 entries', times],
    ['opening 100,000 entries', /^growth: opening/, 'opening 1,000', times],
  ],
  'command line': [
    ['`suture --version`', /--version/, '`node -e 0`', times],
    ['`lint` of 20 MB', /^lint 20 MB, one/, 'reading and parsing it', times],
    ['the doctor over 50 sessions', /^doctor, 50/, 'reading and parsing them', times],
    ['the doctor again', /^doctor again, unchanged \/ first run$/, 'its first run', share],
  ],
  viewer: [['a frame while scrolling 20 MB, p95', /20 MB.*p95/, '16 ms are a frame']],
}

export function userRows(figures: readonly Figure[]): UserRow[] {
  return Object.entries(ROWS).flatMap(([group, rows]) =>
    rows.flatMap(([work, name, why, text]) => {
      const found = figures.filter((figure) => figure.group === group && name.test(figure.name))
      const worst = found.sort((a, b) => (a.better === 'higher' ? a.value - b.value : b.value - a.value))[0]
      if (!worst) return []
      const cost = text ? text(worst.value) : `${worst.value} ${worst.unit ?? ''}`.trim()
      return [{ work: `${group}: ${work}`, cost, why }]
    }),
  )
}
