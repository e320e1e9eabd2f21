import { describe, expect, it } from 'vitest'
import { judge } from './judge.ts'
import { tables } from './testing/cases/index.ts'

for (const [title, { to, accepted, rejected }] of Object.entries(tables)) {
  describe(title, () => {
    it.each(Object.entries(accepted))('accepts %s', (_, body) => {
      expect(judge({ ...to, body })).toEqual({ accepted: true })
    })

    it.each(Object.entries(rejected))('rejects %s', (_, [body, rule, message, status = 400]) => {
      expect(judge({ ...to, body })).toMatchObject({ accepted: false, rule, message, status })
    })
  })
}
