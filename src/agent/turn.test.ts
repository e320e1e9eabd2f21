import { describe, expect, it } from 'vitest'
import { contract, eventsOf, invalid, open, optionsOf, outline, setups, textIn, tool } from '../../test/agent-setup.ts'
import { runTurn } from './index.ts'

const weather = tool('weather', ({ city }) => `Sunny in ${city}.`, {
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
})
const news = tool('news', () => 'Quiet day.')

it('a listener that fails later does not end the process', async () => {
  const setup = setups[0]!
  const fetch = contract()
  fetch.script({ fault: 'status=529' }, { text: 'Here.' })
  let events = 0
  const onEvent = async () => {
    events++
    throw new Error('The listener failed.')
  }
  const turn = runTurn(await open(setup), 'Hi', optionsOf(setup, fetch, { guard: { wait: async () => {}, onEvent } }))
  expect(await turn.outcome).toMatchObject({ status: 'done', text: 'Here.' })
  expect(events).toBeGreaterThan(0)
})

describe.each(setups.map((setup) => [setup.dialect, setup] as const))('%s', (_name, setup) => {
  it('sends a request, runs tools in parallel, continues, answers', async () => {
    const fetch = contract()
    fetch.script(
      {
        text: 'Let me see.',
        calls: [
          { name: 'weather', arguments: { city: 'Oslo' } },
          { name: 'news', arguments: {} },
        ],
      },
      { text: 'Sunny and quiet.' },
    )
    const session = await open(setup)
    const turn = runTurn(
      session,
      'What is up?',
      optionsOf(setup, fetch, { tools: [weather, news], system: 'Be brief.' }),
    )
    const events = await eventsOf(turn)
    expect(await turn.outcome).toMatchObject({ status: 'done', text: 'Sunny and quiet.', steps: 2 })
    expect(textIn(events)).toBe('Let me see.Sunny and quiet.')
    expect(await outline(session)).toBe(
      'user What is up? | assistant Let me see. | call weather | call news | result weather Sunny in Oslo. | result news Quiet day. | assistant Sunny and quiet.',
    )
    expect(events.map(({ type }) => type).filter((type) => type !== 'text')).toEqual([
      'prompt',
      'call',
      'call',
      'result',
      'result',
      'done',
    ])
    expect(fetch.requests.map(({ verdict }) => verdict)).toEqual([{ accepted: true }, { accepted: true }])
    expect(await invalid(setup, session)).toEqual([])
  })
})
