/**
 * What an assembler reports during a stream: whether there was output, and whether it ended.
 */
import { expect, it } from 'vitest'
import { replies } from '../../src/dialects/replies/index.ts'
import { bytesOf, framesOf, places, scripts } from './fake-provider.ts'

it.each(places.map((place) => [place.name, place] as const))('%s', (_, place) => {
  // OpenAI and Azure keep reasoning to themselves, so an answer of text shows when something came.
  const frames = framesOf(bytesOf(scripts['text']!, place), place)
  const assembler = replies[place.dialect]!.stream()
  const seen = frames.map((frame) => {
    assembler.push(frame)
    return [assembler.output, assembler.done]
  })
  const says = frames.findIndex(({ data }) => data.includes('Déjà'))
  expect(seen.findIndex(([output]) => output)).toBe(says)
  const ends = frames.findIndex(
    ({ data, event = '' }) =>
      /"finish_?[rR]eason":"|message_stop|response.completed/.test(data) || event === 'messageStop',
  )
  expect(seen.findIndex(([, done]) => done)).toBe(ends)
  expect(assembler.error).toBeUndefined()
})
