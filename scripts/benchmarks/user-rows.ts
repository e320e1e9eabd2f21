/** The rows of docs/benchmarks.md: figures that a user can compare with something. At most 30. */
import type { Figure } from './figures.ts'

export interface UserRow {
  readonly work: string
  readonly cost: string
  readonly why: string
}

/** Of the figures whose name fits, the worst is shown. */
interface Selection {
  readonly work: string
  readonly group: string
  readonly name: RegExp
  readonly why: string
  readonly text?: (value: number) => string
}

const times = (value: number) => `${value} ×`
const share = (value: number) => `${Math.round(value * 100)} %`
const WHOLE_CALL = 'a model call takes 1,000 ms and more'
const PARSE = 'JSON.parse of the same conversation'

export const ROWS: readonly Selection[] = [
  { work: '`import { repair } from "suture"`, gzipped', group: 'bundle', name: /^import /, why: 'what a page loads' },
  { work: 'the same with one provider and its rules', group: 'bundle', name: /rules it has/, why: '' },
  { work: 'guard: a valid request of 100 kB', group: 'guard', name: /^added to a request: 100 kB/, why: WHOLE_CALL },
  { work: 'guard: a valid request of 1 MB', group: 'guard', name: /^added to a request: 1000 kB/, why: WHOLE_CALL },
  {
    work: 'guard: a valid request of 100 kB',
    group: 'guard',
    name: /^valid requests.*: 100 kB/,
    why: 'decoding and parsing it',
    text: times,
  },
  { work: 'guard: a repaired request of 1 MB', group: 'guard', name: /^repaired/, why: 'a valid one', text: times },
  {
    work: 'guard: a request of 2 kB over loopback',
    group: 'guard',
    name: /loopback/,
    why: 'bare `fetch`',
    text: times,
  },
  {
    work: 'guard: an event of a stream',
    group: 'guard',
    name: /1 events per chunk$/,
    why: 'a model sends 20 to 200 a second',
  },
  { work: 'lint: one long valid history', group: 'core', name: /^lint of one long/, why: PARSE, text: share },
  {
    work: 'lint: real conversations one by one',
    group: 'core',
    name: /^lint of conversations/,
    why: 'JSON.parse of each and of 2 kB',
    text: share,
  },
  {
    work: 'repair: conversations with one fault',
    group: 'core',
    name: /^repair of conversations/,
    why: 'JSON.parse of each and of 2.9 kB',
    text: share,
  },
  { work: 'compaction: a plan, nothing cached', group: 'compaction', name: /cold/, why: PARSE, text: times },
  {
    work: 'gateway: requests of 2 kB a second',
    group: 'gateway',
    name: /^valid.* 2 kB/,
    why: 'a proxy that only parses',
    text: times,
  },
  {
    work: 'gateway: requests of 100 kB a second',
    group: 'gateway',
    name: /^valid.* 100 kB/,
    why: 'a proxy that only parses',
    text: times,
  },
  {
    work: 'gateway: requests of 1 MB a second',
    group: 'gateway',
    name: /^valid.* 1000 kB/,
    why: 'a proxy that only parses',
    text: times,
  },
  { work: 'gateway: requests of 2 kB a second', group: 'gateway', name: /Portkey.* 2 kB/, why: 'Portkey', text: times },
  {
    work: 'gateway: requests of 100 kB a second',
    group: 'gateway',
    name: /Portkey.* 100 kB/,
    why: 'Portkey',
    text: times,
  },
  {
    work: 'gateway: requests of 1 MB a second',
    group: 'gateway',
    name: /Portkey.* 1000 kB/,
    why: 'Portkey',
    text: times,
  },
  { work: 'gateway: the first byte of a stream', group: 'gateway', name: /first byte/, why: 'without the gateway' },
  { work: 'gateway: from an abort to the closed upstream', group: 'gateway', name: /abort/, why: '' },
  {
    work: 'session: appends to SQLite a second, `FULL`',
    group: 'stores',
    name: /^sqlite full/,
    why: 'a bare insert',
    text: times,
  },
  {
    work: 'session: appends to PostgreSQL a second, 16 sessions',
    group: 'stores',
    name: /^postgres, as it comes/,
    why: 'bare inserts',
    text: times,
  },
  {
    work: 'session: an append at 100,000 entries',
    group: 'stores',
    name: /^growth: append/,
    why: 'at 1,000 entries',
    text: times,
  },
  {
    work: 'session: opening 100,000 entries',
    group: 'stores',
    name: /^growth: opening/,
    why: 'opening 1,000',
    text: times,
  },
  {
    work: 'command line: `suture --version`',
    group: 'command line',
    name: /--version/,
    why: '`node -e 0`',
    text: times,
  },
  {
    work: 'command line: `lint` of 20 MB',
    group: 'command line',
    name: /^lint 20 MB, one/,
    why: 'reading and parsing it',
    text: times,
  },
  {
    work: 'command line: the doctor over 50 sessions',
    group: 'command line',
    name: /^doctor, 50/,
    why: 'reading and parsing them',
    text: times,
  },
  {
    work: 'command line: the doctor again',
    group: 'command line',
    name: /^doctor again, unchanged \/ first run$/,
    why: 'its first run',
    text: share,
  },
  { work: 'viewer: a frame while scrolling 20 MB, p95', group: 'viewer', name: /20 MB.*p95/, why: '16 ms are a frame' },
]

export function userRows(figures: readonly Figure[]): UserRow[] {
  return ROWS.flatMap(({ work, group, name, why, text }) => {
    const found = figures.filter((figure) => figure.group === group && name.test(figure.name))
    const worst = found.sort((a, b) => (a.better === 'higher' ? a.value - b.value : b.value - a.value))[0]
    if (!worst) return []
    return [{ work, cost: text ? text(worst.value) : `${worst.value} ${worst.unit ?? ''}`.trim(), why }]
  })
}
