/**
 * Prompts of a turn, the first and those that came while it ran: in order, and none is lost.
 */
import type { Session } from '../session/index.ts'
import type { Prompt, TurnEvent } from './types.ts'
import { append } from './writing.ts'

export class Prompts {
  private readonly session: Session
  private readonly tell: (event: TurnEvent) => void
  private readonly said: { readonly prompt: Prompt; readonly when: 'now' | 'after' }[] = []

  constructor(session: Session, tell: (event: TurnEvent) => void) {
    this.session = session
    this.tell = tell
  }

  get none(): boolean {
    return this.said.length === 0
  }

  say(prompt: Prompt, when: 'now' | 'after'): void {
    this.said.push({ prompt, when })
  }

  /** Stores those for now; `after` an answer, where there are none, the next of the others. Whether there were any. */
  async store(when: 'now' | 'after'): Promise<boolean> {
    const now = this.said.filter((one) => one.when === 'now')
    const next = now.length > 0 ? now : when === 'after' ? this.said.slice(0, 1) : []
    for (const one of next) {
      const { prompt } = one
      const { dialect } = this.session.wiring.service
      await append(this.session, typeof prompt === 'string' ? [dialect.say('user', prompt)] : prompt)
      this.said.splice(this.said.indexOf(one), 1)
      this.tell({ type: 'prompt', prompt })
    }
    return next.length > 0
  }

  /** The turn is over: what was still to be said is there for the next one. */
  async storeAll(): Promise<void> {
    while (this.said.length > 0) await this.store('after')
  }
}
