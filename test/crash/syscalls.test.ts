/**
 * Row 2 of the crash matrix.
 */
import { afterAll, expect, it } from 'vitest'
import { unbundle, withoutStrace } from './children.ts'
import { operations, syscallRow } from './syscalls.ts'

afterAll(unbundle)

const missing = withoutStrace()
const only = process.env['SUTURE_OPERATIONS']?.split(',')
const dying = only ?? operations
/** `npm run crash` has the errors at the writes of all of them. */
const failing = only ?? ['turn', 'replace', 'migrate']

it.skipIf(missing)(
  `death at every write of each operation${missing ? ` (skipped: ${missing})` : ''}`,
  { timeout: 900_000 },
  async () => {
    const outcome = await syscallRow({
      operations: dying,
      faults: ['kill'],
      journals: ['wal'],
      dialects: ['openai-chat'],
    })
    console.log(outcome.tried, outcome.notes)
    expect(outcome).toMatchObject({ lost: 0, unsound: 0, wrong: [] })
    expect(outcome.tried).toBeGreaterThan(dying.length * 5)
  },
)

it.skipIf(missing)(
  `EIO and ENOSPC at every write of ${failing.join(', ')}${missing ? ` (skipped: ${missing})` : ''}`,
  { timeout: 900_000 },
  async () => {
    const outcome = await syscallRow({
      operations: failing,
      faults: ['EIO', 'ENOSPC'],
      journals: ['wal'],
      dialects: ['anthropic-messages'],
    })
    console.log(outcome.tried, outcome.notes)
    expect(outcome).toMatchObject({ lost: 0, unsound: 0, wrong: [] })
    expect(outcome.tried).toBeGreaterThan(failing.length * 5)
  },
)
