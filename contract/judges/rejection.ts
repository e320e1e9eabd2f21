/**
 * The result of a judge: the first fault it found, without the provider's error format.
 */

/** A request with its model and headers in a normalized form. */
export interface JudgedRequest {
  readonly body: unknown
  readonly model: string | undefined
  /** Absent: not given, so constraints about headers do not reject. Keys in lower case. */
  readonly headers: Readonly<Record<string, string>> | undefined
  readonly stream: boolean
  /** Item ids that this connection has issued. */
  readonly issuedIds: ReadonlySet<string>
  /** Also reject what reports disagree on, such as text after a call in an Anthropic message. */
  readonly disputed: boolean
}

export interface Rejection {
  readonly rule: string
  readonly message: string
  /** Default: 400. */
  readonly status?: number
  readonly param?: string
  readonly code?: string
  readonly type?: string
  /** The place of the fault, for bodies that have it apart from the text (Mistral's `detail[].loc`). */
  readonly at?: readonly (string | number)[]
}

export type Check = (request: JudgedRequest) => Rejection | undefined
export type Body = (rejection: Rejection, request: JudgedRequest) => unknown

/** One provider at one endpoint: its check, and the format of its error body. */
export interface EndpointJudge {
  readonly check: Check
  readonly body: Body
}

/** The checks of one endpoint, in the order of the provider. */
export function inOrder(...checks: readonly Check[]): Check {
  return (request) => {
    for (const check of checks) {
      const rejection = check(request)
      if (rejection) return rejection
    }
    return undefined
  }
}
