/**
 * Streams through the guard: microseconds per event, compared with the minimum of any wrapper of a stream.
 */
import { guard } from '../src/guard/index.ts'
import { bests, line, summarize, taken } from './guard-rounds.ts'

const EVENTS = 2000
const encoder = new TextEncoder()
const BODY = '{"model":"gpt-4.1","messages":[{"role":"user","content":"x"}]}'
const ASKED = { method: 'POST', headers: { 'content-type': 'application/json' }, body: BODY }

export async function streams(): Promise<void> {
  console.log('streams, µs per event in addition to a plain wrapper')
  for (const together of [1, 8]) {
    for (const listens of [false, true]) await stream(together, listens)
  }
}

async function stream(together: number, listens: boolean): Promise<void> {
  const chunks = chunksOf(together)
  const bare = async () => new Response(streamOf(chunks), { headers: { 'content-type': 'text/event-stream' } })
  const guarded = guard({ fetch: bare, ...(listens ? { onReply: () => {} } : {}) })
  const works = [
    async () => drained(await bare()),
    async () => drained(new Response(again((await bare()).body!))),
    async () => drained(await guarded('https://api.openai.com/v1/chat/completions', ASKED)),
  ]
  const lists = (await taken(works, { rounds: 40, times: 2 })).map((list) => list.map((one) => one / EVENTS))
  const name = `${together} events per chunk${listens ? ', with onReply' : ''}`
  line(
    name,
    summarize(lists, ([, passed, kept]) => kept! - passed!),
    2,
    ' µs',
  )
  console.log(`    ${bests(['read', 'passed through', 'guarded'], lists)}`)
}

function chunksOf(together: number): Uint8Array[] {
  const events = Array.from({ length: EVENTS }, (_, i) => {
    const choices = [{ index: 0, delta: { content: `word ${i} ` }, finish_reason: i === EVENTS - 1 ? 'stop' : null }]
    const event = { id: 'chatcmpl-x', object: 'chat.completion.chunk', created: 1, model: 'gpt-4.1', choices }
    return `data: ${JSON.stringify(event)}\n\n`
  })
  return Array.from({ length: EVENTS / together }, (_, i) =>
    encoder.encode(events.slice(i * together, (i + 1) * together).join('')),
  )
}

function streamOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream(
    {
      pull(controller) {
        if (at < chunks.length) controller.enqueue(chunks[at++]!)
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

/** The minimum that any wrapper of a stream has to do. */
function again(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
    },
    { highWaterMark: 0 },
  )
}

async function drained(response: Response): Promise<void> {
  const reader = response.body!.getReader()
  while (!(await reader.read()).done);
}
