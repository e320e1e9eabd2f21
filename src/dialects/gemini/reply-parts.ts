/** Gemini's parts: joins those of a stream where nothing is lost, and chooses which are kept in the history. */
import { isObject, type JsonObject, put } from '../../core/json.ts'
import { textOf } from '../blocks.ts'
import { type Calls, sort } from '../replies/calls.ts'
import { StreamedCall } from './reply-args.ts'

export class Parts {
  readonly #list: JsonObject[] = []
  /** The call whose arguments are being streamed. */
  #open: StreamedCall | undefined
  readonly #streamed = new Map<JsonObject, StreamedCall>()

  /**
   * Adds a part. Pieces of plain text become one, and of thought likewise.
   * A part with a signature, also an empty one, stays separate: Google forbids joining it with others
   * (doc: ai.google.dev/gemini-api/docs/thought-signatures).
   */
  add(part: JsonObject, whole: boolean): void {
    const { text } = part
    const last = this.#list.at(-1)
    if (isObject(part['functionCall']) && this.#isStreamed(part, part['functionCall'])) return
    if (typeof text !== 'string' || !isPlain(part)) this.#list.push(part)
    else if (!whole && last && isPlain(last) && last['thought'] === part['thought']) {
      put(last, 'text', `${last['text']}${text}`)
    } else if (text !== '') this.#list.push({ ...part })
  }

  /** The parts that may be sent back; only the text of an incomplete reply. */
  settle(complete: boolean, calls: Calls): readonly JsonObject[] {
    const kept = this.#list.flatMap((part) => {
      const streamed = this.#streamed.get(part)
      const one = streamed ? streamed.part() : part
      const call = one['functionCall'] ?? one['function_call']
      if (isObject(call)) return sort(draftOf(call, complete, streamed), calls) ? [one] : []
      return complete || (typeof one['text'] === 'string' && !isThought(one)) ? [one] : []
    })
    // Thoughts alone are not an answer.
    return kept.every(isThought) ? [] : kept
  }

  /** Whether the part belongs to a call whose arguments are streamed. */
  #isStreamed(part: JsonObject, call: JsonObject): boolean {
    const continues = call['willContinue'] === true
    if (!this.#open && !continues && call['partialArgs'] === undefined) return false
    // A part with a name begins a call.
    if (!this.#open || call['name'] !== undefined) {
      this.#open = new StreamedCall(part)
      this.#streamed.set(part, this.#open)
      this.#list.push(part)
    }
    this.#open.add(part, call)
    if (!continues) this.#open = undefined
    return true
  }
}

/** Text or thought without other fields. */
function isPlain(part: JsonObject): boolean {
  if (typeof part['text'] !== 'string') return false
  for (const key in part) if (key !== 'text' && key !== 'thought') return false
  return true
}

function isThought(part: JsonObject): boolean {
  return part['thought'] === true
}

function draftOf(call: JsonObject, ended: boolean, streamed: StreamedCall | undefined) {
  const { id, name, args } = call
  const input = args ?? {}
  const isRunnable = !streamed?.broken && isObject(input)
  return { id, name, text: textOf(input), arguments: isRunnable ? input : undefined, ended, idless: true }
}
