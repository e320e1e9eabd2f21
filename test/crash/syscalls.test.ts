/**
 * Row 2 of the crash matrix.
 */
import { afterAll, expect, it } from 'vitest'
import { unbundle, withoutStrace } from './children.ts'
import { operations, syscallRow } from './syscalls.ts'

afterAll(unbundle)

const missing = withoutStrace()
const only = process.env['SUTURE_OPERATIONS']?.split(',')
const tried = only ?? operations

it.skipIf(missing)(
  `death at every write of each operation${missing ? ` (skipped: ${missing})` : ''}`,
  { timeout: 900_000 },
  async () => {
    const outcome = await syscallRow({
      operations: tried,
      faults: ['kill'],
      journals: ['wal'],
      dialects: ['openai-chat'],
    })
    console.log(outcome.tried, outcome.notes)
    expect(outcome).toMatchObject({ lost: 0, unsound: 0, wrong: [] })
    expect(outcome.tried).toBeGreaterThan(tried.length * 5)
  },
)

it.skipIf(missing)(
  `EIO and ENOSPC at every write of each operation${missing ? ` (skipped: ${missing})` : ''}`,
  { timeout: 900_000 },
  async () => {
    const outcome = await syscallRow({
      operations: tried,
      faults: ['EIO', 'ENOSPC'],
      journals: ['wal'],
      dialects: ['anthropic-messages'],
    })
    console.log(outcome.tried, outcome.notes)
    expect(outcome).toMatchObject({ lost: 0, unsound: 0, wrong: [] })
    expect(outcome.tried).toBeGreaterThan(tried.length * 5)
  },
)
