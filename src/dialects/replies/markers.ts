/**
 * Fast checks of a frame's text, for readers that need only the end and the token counts of a stream.
 * A match means "read this frame"; the dialect's assembler decides what it is.
 */
import type { Frame } from '../../core/reply.ts'

/** Part of the text of every terminal event and every error, in all dialects. Escapes may hide one. */
const END = /error|finish_?reason"\s*:\s*"|"stop|_stop"|completed"|failed"|incomplete"|"done|\[DONE\]|\\u00[0-7]/i
const USAGE = /"usage(?:Metadata)?": ?\{|"eval_count"/
const DONE = '[DONE]'
/** Longer data is not `[DONE]` with white space around it. */
const MAX_DONE_LENGTH = 16

/** Whether the text of a frame shows its content. Bedrock's `invoke` wraps events in base64. */
export function isPlainText({ kind, event }: Frame): boolean {
  return kind === undefined && event !== 'chunk'
}

/** The frame may be a terminal event or an error. */
export function mayEndReply({ data }: Frame): boolean {
  return END.test(data)
}

export function mayReportUsage({ data }: Frame): boolean {
  return USAGE.test(data)
}

/** `[DONE]`. Some providers send it after a cut, so it does not make a reply complete. */
export function isDoneMarker({ data }: Frame): boolean {
  return data.length < MAX_DONE_LENGTH && data.trim() === DONE
}
