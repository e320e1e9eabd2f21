/**
 * Mutated error texts through `explain` and the classification: always an explanation, never an exception.
 */
import { readFileSync } from 'node:fs'
import { isSutureError } from '../../src/core/index.ts'
import { explain } from '../../src/guard/rejections/explain.ts'
import { mutated, odd, pick } from './mutate.ts'
import type { Surface } from './surface.ts'

const { sections } = JSON.parse(readFileSync('docs/data/rejections.json', 'utf8')) as {
  sections: readonly { readonly rows: readonly { readonly texts: readonly string[] }[] }[]
}
const rejections = sections
  .flatMap(({ rows }) => rows.flatMap(({ texts }) => texts))
  .flatMap((message) => [message, { type: 'error', error: { type: 'invalid_request_error', message } }])

export const errorTexts: Surface = {
  name: 'error-texts',
  make: (random) => ({
    bytes: mutated(JSON.stringify(random(8) === 0 ? odd(random) : pick(rejections, random)), random),
    about: { isText: random(2) === 0 },
  }),
  check({ bytes, about }) {
    let error: unknown = bytes.toString()
    if (!about['isText'])
      try {
        error = JSON.parse(bytes.toString())
      } catch {
        // It stays a text.
      }
    try {
      const { kind, summary } = explain(error)
      return kind === undefined || summary === '' ? 'no explanation' : undefined
    } catch (wrong) {
      // A number is no error.
      if (isSutureError(wrong)) return undefined
      throw wrong
    }
  },
}
