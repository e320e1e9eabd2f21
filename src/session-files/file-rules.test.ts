import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { fileRules } from './file-rules.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

it('every rule that a format or the salvage reports has its sentence, and no other has', () => {
  const sources = readdirSync(here, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.ts') && !name.includes('.test.'))
    .map((name) => readFileSync(join(here, name), 'utf8'))
  const named = /\b(?:rule(?:: | = .*\? )|(?:error|warning)In\([^']{0,80}, )'([a-z-]+)'/g
  const names = sources.flatMap((text) => [...text.matchAll(named)].map((one) => one[1]!))
  const types = readFileSync(join(here, 'types.ts'), 'utf8')
  const salvage = /type QuarantineReason =[\s\S]*?interface Salvage \{/.exec(types)![0]
  names.push(...[...salvage.matchAll(/\| '([a-z0-9-]+)'/g)].map((one) => one[1]!), 'dangling-parent')
  expect([...new Set(names)].sort()).toEqual(Object.keys(fileRules).sort())
})
