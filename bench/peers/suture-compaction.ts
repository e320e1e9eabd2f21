/** Suture's compaction: with the digest, which needs no model, and with a model's summary. */
import { compact, compactWith } from '../../src/compact.ts'
import type { ProviderId } from '../../src/index.ts'
import { repair } from '../../src/index.ts'
import type { Compacted, Compactor } from './compaction.ts'
import type { Plain } from './plain.ts'
import { suture } from './suture.ts'
import { requestOf, targets } from './wires.ts'

const target = targets.find(({ provider }) => provider === 'anthropic')!
const { wire, provider, model } = target

function options(tokens: number) {
  return {
    provider: provider as ProviderId,
    model,
    dialect: 'anthropic-messages' as const,
    budget: { limit: tokens, goal: tokens },
  }
}

/** For another provider the shortened history is repaired as any history is. */
function compactedOf(messages: readonly unknown[], fits: boolean): Compacted {
  const plain = wire.from(messages)
  return {
    plain,
    fits,
    messages: (other) => {
      if (other.provider === provider) return messages
      const written = requestOf(other.wire.to(plain), plain, other)
      const { value } = repair(written, { provider: other.provider as ProviderId, model: other.model })
      return (value as Readonly<Record<string, unknown>>)[other.wire.key] as readonly unknown[]
    },
  }
}

const SUMMARY = 'The user asked for changes in several files. The tools ran, and the work so far is done.'

export const sutureCompactors: readonly Compactor[] = [
  {
    name: 'suture compact',
    version: suture.version,
    usage: 'compact(messages, { provider, model, budget }): a digest, no model',
    async compact(history, tokens) {
      const done = compact(wire.to(history), options(tokens))
      return compactedOf(done.history, done.receipt.fits)
    },
  },
  {
    name: 'suture compactWith',
    version: suture.version,
    usage: 'compactWith(messages, { provider, model, budget, summarize })',
    async compact(history, tokens) {
      const done = await compactWith(wire.to(history), { ...options(tokens), summarize: async () => SUMMARY })
      return compactedOf(done.history, done.receipt.fits)
    },
    async failing(history, tokens): Promise<readonly Plain[]> {
      const summarize = () => Promise.reject(new Error('429 Too many requests'))
      const strategies = { ladder: ['summary'] as const }
      return wire.from((await compactWith(wire.to(history), { ...options(tokens), strategies, summarize })).history)
    },
  },
]
