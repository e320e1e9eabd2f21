/** What the gateway of `suture serve --demo` gives its page. */

export interface Demo {
  /** The conversation that runs. */
  readonly session: string
  readonly stories: readonly DemoStory[]
}

/** A broken history, and what the provider answers to it without the gateway and with it. */
export interface DemoStory {
  readonly title: string
  readonly provider: string
  readonly model: string
  readonly body: unknown
  readonly without: Answer
  readonly repaired: Answer
}

export interface Answer {
  readonly status: number
  /** The error message, or the text of the reply. */
  readonly text: string
  /** Header `suture-findings`, in words. */
  readonly findings: string
}
