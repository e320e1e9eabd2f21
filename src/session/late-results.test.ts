/**
 * A real result that comes late stands in place of the made-up one: in every dialect, whatever its provider would take.
 */

import { describe, expect, it } from 'vitest'
import { openSession } from '../../test/untyped-api.ts'
import { type Cause, causeText, type Part } from '../core/index.ts'
import { memoryStore, type Session, type Store } from '../session.ts'
import { parseHistory } from '../testing/index.ts'

const mains: readonly (readonly [string, string])[] = [
  ['openai-chat', 'openai'],
  ['openai-responses', 'openai'],
  ['anthropic-messages', 'anthropic'],
  ['gemini', 'gemini'],
  ['bedrock-converse', 'bedrock'],
  ['ai-sdk', 'ai-sdk'],
  ['langchain', 'langchain'],
]
const LOST = causeText('lost')

describe.each(mains)('%s', (dialect, provider) => {
  const open = (store: Store, id = 'chat') => openSession(store, id, { provider, dialect })
  const messages = (notation: string) => parseHistory(notation, dialect)
  /** Results alone: cut out of a talk in which they are answers. */
  const result = (id: string, text: string) =>
    messages(`user: x\nassistant: call ${id} look\ntool: result ${id} ${text}`).slice(-1)
  const results = async (session: Session) => {
    const parts: Part[] = []
    const { dialect: own } = session.wiring.service
    for (const [i, message] of (await session.history()).entries()) own.read(message, i, parts)
    return parts.filter(({ kind }) => kind === 'result').map((part) => own.content(part).text)
  }

  it('takes its place, once, also when the session is opened again or forked', async () => {
    const store = memoryStore()
    const session = await open(store)
    await session.append(messages('user: hi\nassistant: call a look | call b look'))
    await session.append(messages('user: well?'))
    await session.append(messages('assistant: so so'))
    expect(await results(session)).toEqual([LOST, LOST])
    await session.append(result('b', 'late'))
    expect(await results(session)).toEqual([LOST, 'late'])
    expect(await results(await open(store))).toEqual([LOST, 'late'])
    expect(await results(await session.fork(1, 'copy'))).toEqual([LOST, 'late'])
    expect(await results(await open(store, 'copy'))).toEqual([LOST, 'late'])
  })

  it('does not occur twice if the view was changed in between', async () => {
    const session = await open(memoryStore())
    await session.append(messages('user: old\nassistant: yes\nuser: hi\nassistant: call a look'))
    await session.append(messages('user: well?'))
    await session.append(result('a', 'late'))
    await session.append(messages('assistant: so so\nuser: and now?'))
    const { history, upTo, prefixHash } = await session.view()
    const insert = messages('user: summary')
    const patch = [{ op: 'splice' as const, path: [], index: 0, remove: history.slice(0, 1), insert }]
    await session.replace(patch, { by: 'test', why: 'short', upTo, prefixHash })
    await session.append(messages('assistant: fine'))
    expect(await results(session)).toEqual(['late'])
    await session.undo()
    expect(await results(session)).toEqual(['late'])
  })

  it('of a synthetic result that the caller stored, by its position', async () => {
    const session = await open(memoryStore())
    const synthetic: readonly Cause[] = ['aborted-while-running']
    await session.append(messages('user: hi\nassistant: call a look'))
    const { positions } = await session.append(result('a', causeText('aborted-while-running')), { synthetic })
    await session.append(messages('assistant: so so'))
    expect((await session.entries())[2]).toMatchObject({ synthetic })
    await session.append(result('a', 'late'), { insteadOf: positions[0]! })
    expect(await results(session)).toEqual(['late'])
  })

  it('a second real result takes no one’s place', async () => {
    const session = await open(memoryStore())
    await session.append(messages('user: hi\nassistant: call a look | call b look'))
    await session.append(result('a', 'first'))
    await session.append(messages('user: well?'))
    await session.append(result('a', 'second'))
    expect((await results(session)).slice(0, 2)).toEqual(expect.arrayContaining(['first', LOST]))
  })
})
