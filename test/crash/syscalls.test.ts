/**
 * Row 2 of the crash matrix.
 */
import { afterAll, expect, it } from 'vitest'
import { LONG } from '../long-runs.ts'
import { unbundle, withoutStrace } from './children.ts'
import { operations, syscallRow } from './syscalls.ts'

afterAll(unbundle)

const missing = withoutStrace()
const only = process.env['SUTURE_OPERATIONS']?.split(',')
const tried = only ?? operations
/** Every n-th write of an operation; the long form tries every one. */
const every = LONG ? 1 : 5
const which = LONG ? 'every write' : 'every fifth write'

it.skipIf(missing)(
  `death at ${which} of each operation${missing ? ` (skipped: ${missing})` : ''}`,
  { timeout: 900_000 },
  async () => {
    const outcome = await syscallRow({
      operations: tried,
      faults: ['kill'],
      every,
      journals: ['wal'],
      dialects: ['openai-chat'],
    })
    console.log(outcome.tried, outcome.notes)
    expect(outcome).toMatchObject({ lost: 0, invalid: 0, wrong: [] })
    expect(outcome.tried).toBeGreaterThan((tried.length * 5) / every)
  },
)

it.skipIf(missing)(
  `EIO and ENOSPC at ${which} of each operation${missing ? ` (skipped: ${missing})` : ''}`,
  { timeout: 900_000 },
  async () => {
    const outcome = await syscallRow({
      operations: tried,
      faults: ['EIO', 'ENOSPC'],
      every,
      journals: ['wal'],
      dialects: ['anthropic-messages'],
    })
    console.log(outcome.tried, outcome.notes)
    expect(outcome).toMatchObject({ lost: 0, invalid: 0, wrong: [] })
    expect(outcome.tried).toBeGreaterThan((tried.length * 5) / every)
  },
)
