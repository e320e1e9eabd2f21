/**
 * Turns of an agent as lines in a terminal, while they happen.
 */
import type { Turn, TurnEvent } from '../../agent/index.ts'

export class Stage {
  readonly write: (text: string) => void
  private inText = false

  constructor(write: (text: string) => void) {
    this.write = write
  }

  scene(title: string): void {
    this.write(`\n\n— ${title} —`)
    this.inText = false
  }

  /** A line of its own, also in the middle of what is said. */
  line(text: string): void {
    this.write(`\n  ${text}`)
    this.inText = false
  }

  /** Shows a turn to its end. `abortOn`: aborts it there, and once more. */
  async watch(turn: Turn, abortOn?: TurnEvent['type']): Promise<void> {
    for await (const event of turn) {
      this.show(event)
      if (event.type !== abortOn) continue
      turn.abort()
      turn.abort()
    }
    await turn.settled
  }

  private show(event: TurnEvent): void {
    if (event.type === 'text') {
      this.write(this.inText ? event.text : `\n  assistant: ${event.text}`)
      this.inText = true
      return
    }
    const line = lineOf(event)
    if (line !== undefined) this.line(line)
  }
}

function lineOf(event: TurnEvent): string | undefined {
  switch (event.type) {
    case 'prompt':
      return `user: ${String(event.prompt)}`
    case 'call':
      return `call ${event.call.name}`
    case 'progress':
      return `  ${event.call.name}: ${String(event.detail)}`
    case 'result':
      return `${event.call.name} → ${event.text.slice(0, 70)}${event.text.length > 70 ? '…' : ''} (${event.why})`
    case 'recovered':
      return `[recovered: ${event.recovery}]`
    case 'compacted':
      return `[compacted${event.failed ? ': failed' : ''}]`
    case 'incomplete':
      return `[incomplete: ${event.why}]`
    case 'done':
      return `[${event.outcome.status}${event.outcome.error ? `: ${event.outcome.error.message}` : ''}]`
    default:
      return undefined
  }
}
