/**
 * Reads the tokens that a response reports while it passes through, for responses that are not read otherwise. The
 * bytes are not changed.
 */
import type { Framing, ReplyForm, ReplyUsage } from '../../core/reply.ts'
import { framingFor, isJson } from '../../dialects/replies/frames.ts'
import { replies } from '../../dialects/replies/index.ts'
import { type ByteSource, KeptBytes } from './byte-source.ts'
import { StreamGuard } from './stream-guard.ts'

/** JSON responses and frames up to this size are kept and read; the tokens of longer ones are not counted. */
const LONGEST = 1024 * 1024

/** A source that also counts tokens; the same source if nothing can be read. */
export function countingTokens(
  source: ByteSource,
  about: { readonly dialect: string; readonly path: string; readonly type: string | null },
  counted: (usage: ReplyUsage) => void,
): ByteSource {
  const form = replies[about.dialect]
  const framing = framingFor(about.path, about.type)
  if (!form || (!framing && !isJson(about.type))) return source
  const reader = framing ? streamUsage(form, framing) : jsonUsage(form)
  let isOver = false
  const over = () => {
    const usage = isOver ? undefined : reader.end()
    isOver = true
    if (usage) counted(usage)
  }
  return {
    async read() {
      const piece = await source.read()
      if (piece) reader.push(piece)
      else over()
      return piece
    },
    cancel(reason) {
      source.cancel(reason)
      over()
    },
  }
}

interface UsageReader {
  push(piece: Uint8Array): void
  end(): ReplyUsage | undefined
}

function streamUsage(form: ReplyForm, framing: Framing): UsageReader {
  const stream = new StreamGuard(form, framing, { endOnly: true, maxFrameBytes: LONGEST })
  return {
    push: (piece) => stream.read(piece),
    end() {
      stream.end()
      return stream.reply().usage
    },
  }
}

function jsonUsage(form: ReplyForm): UsageReader {
  const kept = new KeptBytes(LONGEST)
  return {
    push: (piece) => kept.push(piece),
    end() {
      const value = kept.json()
      return value === undefined ? undefined : form.json(value).usage
    },
  }
}
