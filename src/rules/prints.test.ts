import { expect, test } from 'vitest'
import { Print, Prints } from './prints.ts'

/** Ids as clients and providers make them, of which a long history has very many. */
const sorts: Readonly<Record<string, (n: number) => string>> = {
  counted: (n) => `call_${n}`,
  'with one head': (n) => `toolu_01${'x'.repeat(16)}${n.toString(36).padStart(6, '0')}`,
  'with one end': (n) => `call_${n.toString(36).padStart(6, '0')}_get_weather`,
  short: (n) => n.toString(36),
}

const ways: Readonly<Record<string, (print: Print, id: string) => void>> = {
  whole: (print, id) => print.read(id),
  'by its ends': (print, id) => print.readEnds(id),
}

for (const [sort, idOf] of Object.entries(sorts))
  for (const [way, read] of Object.entries(ways))
    test(`300,000 ids that are ${sort}, read ${way}: none looks as if it had come before, and each does the second time`, () => {
      const prints = new Prints()
      const print = new Print()
      let early = 0
      for (let n = 0; n < 300_000; n++) {
        read(print, idOf(n))
        if (!prints.add(print)) early++
      }
      let again = 0
      for (let n = 0; n < 300_000; n += 1000) {
        read(print, idOf(n))
        if (!prints.add(print)) again++
      }
      expect({ early, again, lasts: prints.lasts }).toEqual({ early: 0, again: 300, lasts: false })
    })

test('only what was read to its end is a word', () => {
  const print = new Print()
  const isWord = (id: string) => {
    print.read(id)
    return print.isWord
  }
  expect([isWord('call_1-a'), isWord('call 1'), isWord('é'), isWord(''), isWord('a'.repeat(64))]).toEqual([
    true,
    false,
    false,
    false,
    true,
  ])
  expect(isWord('a'.repeat(65))).toBe(false)
  print.readEnds('call_1')
  expect(print.isWord).toBe(false)
})
