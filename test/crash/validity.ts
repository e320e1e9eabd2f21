/**
 * Checks whether a file that was opened again is valid: the chain is intact, no operation is there in part, and every
 * provider of the dialect accepts the view.
 */

import { type Endpoint, judge } from '../../contract/judge.ts'
import { providers } from '../../src/index.ts'
import type { Entry } from '../../src/session/index.ts'
import type { Store } from '../../src/session.ts'
import { lint, openSession } from '../untyped-api.ts'
import { type MessageBuilder, partial } from './tagged-messages.ts'

const endpoints: Readonly<Record<string, Endpoint>> = { 'openai-chat': 'chat', 'anthropic-messages': 'messages' }

function speaking(dialect: string): readonly string[] {
  return providers.filter((one) => one.serves.some((service) => service.dialect.id === dialect)).map((one) => one.id)
}

/** Views that were accepted, by the hash of all that is after them. */
const accepted = new Set<string>()

export async function everything(store: Store, session: string): Promise<readonly Entry[]> {
  const { head } = await store.head(session)
  return head === 0 ? [] : store.read(session, 1, head)
}

/** What is wrong with a session in this store; nothing when it is valid. */
export async function firstFault(store: Store, session: string, builder: MessageBuilder): Promise<string | undefined> {
  const opened = await openSession(store, session, { provider: builder.provider, dialect: builder.dialect })
  const { damage } = await opened.verify()
  if (damage.length > 0) return `damage: ${JSON.stringify(damage.slice(0, 3))}`
  const records = await everything(store, session)
  const torn = partial(records)
  if (torn.length > 0) return `there in part: ${torn.join(', ')}`
  const { hash } = await store.head(session)
  if (accepted.has(`${builder.dialect} ${hash}`)) return undefined
  for (const provider of speaking(builder.dialect)) {
    const rejected = await rejection(store, session, builder, provider)
    if (rejected) return rejected
  }
  accepted.add(`${builder.dialect} ${hash}`)
  return undefined
}

async function rejection(
  store: Store,
  session: string,
  builder: MessageBuilder,
  provider: string,
): Promise<string | undefined> {
  const opened = await openSession(store, session, { provider, dialect: builder.dialect })
  const history = await opened.history()
  if (history.length === 0) return undefined
  const errors = lint(history, { provider, dialect: builder.dialect }).filter((one) => one.severity === 'error')
  if (errors.length > 0) return `lint for ${provider}: ${errors[0]!.rule}`
  const verdict = judge({
    provider,
    endpoint: endpoints[builder.dialect]!,
    body: { model: undefined, messages: history },
  })
  return verdict.accepted ? undefined : `${provider} rejects: ${verdict.message}`
}
