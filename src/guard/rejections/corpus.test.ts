/** Real rejections, each classified to its rule and to what is done about it. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { skippable } from '../../../test/skip-reasons.ts'
import type { Finding } from '../../core/index.ts'
import { classify } from './index.ts'
import type { RejectionKind } from './types.ts'

interface Entry {
  readonly provider: string
  readonly status: number | null
  readonly message: string
  readonly body?: string
  readonly rule: string
  readonly recovery: 'repair' | 'compress' | 'drop-rounds' | 'backoff' | 'fatal'
}

const done: Readonly<Record<RejectionKind, Entry['recovery']>> = {
  history: 'repair',
  reasoning: 'repair',
  'stale-id': 'repair',
  'undeclared-tool': 'repair',
  size: 'compress',
  'output-limit': 'compress',
  retryable: 'backoff',
  'model-output': 'backoff',
  other: 'fatal',
}

const corpus = new URL('../../../../shared/error-corpus.json', import.meta.url)

describe('the corpus of real rejections', () => {
  it.skipIf(!existsSync(corpus))(
    skippable(
      'is classified to the last entry, by its text alone and by its whole body',
      !existsSync(corpus) && 'no error-corpus.json beside the corpus',
    ),
    () => {
      const wrong: string[] = []
      for (const entry of JSON.parse(readFileSync(corpus, 'utf8')) as readonly Entry[]) {
        const { provider, message, body, rule, recovery } = entry
        // What names no cause without what a relay wraps is read with it.
        const bodies = message === 'Provider returned error' ? [body!] : [message, ...(body ? [body] : [])]
        for (const text of bodies) {
          const rejection = classify({ status: entry.status ?? 0, headers: new Headers(), body: text }, () =>
            sent(entry),
          )
          const does = rejection.rule === 'request-too-large' ? 'drop-rounds' : done[rejection.kind]
          if (rejection.rule !== rule || does !== recovery)
            wrong.push(
              `${provider}: ${rule}, ${recovery}; got ${rejection.rule}, ${rejection.kind} from ${text.slice(0, 160)}`,
            )
        }
      }
      expect(wrong).toEqual([])
    },
  )
})

/** What a lint of the request would say: it has the fault that the text is about, or none. */
function sent({ rule, recovery }: Entry): readonly Finding[] {
  return recovery === 'repair' ? [{ rule } as Finding] : []
}
