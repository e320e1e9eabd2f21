/**
 * A request of a session on its way through the guard, and its answer written before its end reaches the client.
 */
import { isSutureError } from '../core/index.ts'
import { modeOf, type Settings, type Source } from '../guard/core.ts'
import { type Guarded, throughGuard } from './pass.ts'
import { problemOf } from './problem.ts'
import type { Incoming, Outgoing } from './types.ts'
import { warningOf } from './unrecorded.ts'
import type { Writer } from './writer.ts'

/** A request whose body was read. */
export type Parsed = Guarded & { readonly parsed: Record<string, unknown> }

/** Through the guard, with the answer written before its end reaches the client. `must`: without that it is no answer. */
export async function answered(
  guarded: Guarded,
  id: string,
  writer: Writer,
  must: boolean,
  turn = () => {},
): Promise<Outgoing> {
  const { visit, settings } = guarded
  const mode = modeOf(guarded.incoming.headers.get('suture'), settings)
  const reading: Settings = {
    ...settings,
    mode: 'recover',
    // Answers are read in this mode only; who did not ask for recoveries gets none.
    most: mode === 'recover' ? settings.most : 1,
    onReply: (reply) => {
      writer.reply = reply
    },
  }
  const warnings: string[] = []
  const write = async (status: number) => {
    try {
      await writer.write(status)
      visit.wrote('done')
      visit.note('session', id)
    } catch (error) {
      visit.wrote(isSutureError(error, 'conflict') ? 'conflict' : 'failed')
      const { code } = problemOf(error)
      visit.failed('session', code)
      if (must) throw error
      visit.unrecorded(code)
      warnings.push(...warningOf(code))
    } finally {
      turn()
    }
  }
  let out: Outgoing
  try {
    out = await throughGuard({ ...guarded, incoming: withMode(guarded) }, reading)
  } catch (error) {
    await write(0).catch(() => {})
    throw error
  }
  out.headers.push('suture-session', id)
  const { body, status } = out
  if (body === undefined || body instanceof Uint8Array || status !== 200) {
    await write(status)
    out.headers.push(...warnings)
    return out
  }
  return { ...out, body: endingWith(body, () => write(status)) }
}

function withMode({ incoming }: Guarded): Guarded['incoming'] {
  return withHeaders(incoming, (name) => name === 'suture')
}

const LAST = /\[DONE\]|message_stop|response\.(completed|incomplete|failed)|finishReason|messageStop/

/** Holds back the piece that ends an answer until it is stored: who has seen the end can rely on it. */
function endingWith(source: Source, stored: () => Promise<void>): Source {
  let held: Uint8Array | undefined
  let ended = false
  return {
    async read() {
      while (!ended) {
        const piece = await source.read().catch(async (error: unknown) => {
          await stored().catch(() => {})
          throw error
        })
        if (!piece) {
          ended = true
          await stored()
          return held
        }
        const all: Uint8Array = held ? Buffer.concat([held, piece]) : piece
        held = LAST.test(Buffer.from(all.buffer, all.byteOffset, all.length).toString('latin1')) ? all : undefined
        if (!held) return all
      }
      return undefined
    },
    cancel(reason) {
      source.cancel(reason)
      stored().catch(() => {})
    },
  }
}

/** The request without some of its headers. */
export function withHeaders({ method, target, headers, signal }: Incoming, drops: (name: string) => boolean): Incoming {
  // The body is here already.
  return { method, target, headers: headers.without(drops), signal, body: () => Promise.resolve(Buffer.alloc(0)) }
}

/** The model that a request names. */
export function modelIn({ endpoint, parsed }: Guarded): string | undefined {
  const model = endpoint.model ?? parsed?.['model']
  return typeof model === 'string' ? model : undefined
}
