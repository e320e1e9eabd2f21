/**
 * Writes docs/evidence/guard-faults.md.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { page } from './guard-faults-page.ts'

writeFileSync(join(process.cwd(), 'docs/evidence/guard-faults.md'), page())
