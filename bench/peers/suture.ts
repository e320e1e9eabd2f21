/** Suture in the repair table: the request as it would be sent, repaired for its provider and model. */
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { apply, invert, type ProviderId, repair } from '../../src/index.ts'
import type { Subject } from './peer.ts'
import type { Plain } from './plain.ts'
import { requestOf, type Target } from './wires.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string
}

export const suture: Subject = {
  name: 'suture',
  version,
  usage: 'repair(body, { provider, model })',
  async repair(history, target, isPending) {
    const { wire, provider, model } = target
    const given = isPending || wire.dialect !== 'openai-chat' ? wire.to(history as readonly Plain[]) : history
    const body = requestFor(given, history, target)
    const options = { provider: provider as ProviderId, model, inProgress: isPending }
    const { value, patch, findings } = repair(body, options)
    const messages = (value as Readonly<Record<string, unknown>>)[wire.key] as readonly unknown[]
    const undone = apply(value, invert(JSON.parse(JSON.stringify(patch))))
    return {
      messages,
      plain: wire.from(messages),
      reported: patch.length === 0 || findings.length > 0,
      isSettled: repair(value, options).value === value,
      undone: isDeepStrictEqual(undone, body),
    }
  },
}

function requestFor(messages: readonly unknown[], history: readonly unknown[], target: Target) {
  const calling = history.filter((one) => typeof one === 'object' && one !== null) as readonly Plain[]
  return requestOf(messages, calling, target)
}
