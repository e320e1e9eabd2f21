import { describe, expect, it } from 'vitest'
import { replaceResponse } from './buffered-response.ts'

const bytes = new TextEncoder().encode('\ufeff{"a":"é"}')
const of = Object.defineProperty(new Response('x'), 'url', { value: 'https://somewhere/' })
const headers = { 'content-type': 'application/json' }
const made = (late: boolean) => replaceResponse(of, bytes, { status: 200, headers }, late)
const own = () => new Response(bytes, { status: 200, headers })

type Reading = (response: Response) => unknown
const readings: Readonly<Record<string, Reading>> = {
  text: (one) => one.text(),
  json: (one) => one.json(),
  arrayBuffer: async (one) => [...new Uint8Array(await one.arrayBuffer())],
  blob: async (one) => {
    const blob = await one.blob()
    return [blob.type, await blob.text()]
  },
  formData: (one) => one.formData(),
  clone: (one) => one.clone().text(),
  body: async (one) => {
    let text = ''
    for await (const piece of one.body!) text += Buffer.from(piece as Uint8Array).toString('latin1')
    return text
  },
}

/** What comes of some readings one after another: a value, or that it is rejected. */
async function outcome(response: Response, names: readonly string[]): Promise<unknown[]> {
  const got: unknown[] = []
  for (const name of names) {
    const before = response.bodyUsed
    got.push(before, await (async () => readings[name]!(response))().catch((error) => (error as Error).name))
    got.push(response.bodyUsed, response.body?.locked)
  }
  return got
}

describe.each([
  ['with its stream', false],
  ['with its stream made when it is asked for', true],
] as const)('an answer that is all there, %s', (_name, late) => {
  const pairs = Object.keys(readings).flatMap((first) =>
    Object.keys(readings).map((second) => [first, second] as const),
  )
  it.each(pairs)('is read as the runtime has it: %s, then %s', async (first, second) => {
    expect(await outcome(made(late), [first, second])).toEqual(await outcome(own(), [first, second]))
  })

  it('is a Response, with the URL of the one it replaces', () => {
    const one = made(late)
    expect(one).toBeInstanceOf(Response)
    expect(one).toMatchObject({ url: 'https://somewhere/', status: 200, ok: true, redirected: false })
    expect(String(one)).toBe('[object Response]')
    expect(one.clone()).toMatchObject({ status: 200 })
  })
})
