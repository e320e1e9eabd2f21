/**
 * What a judge says: the first fault it met, before it is wrapped into the provider's body.
 */

/** A request with its model and headers settled. */
export interface JudgedRequest {
  readonly body: unknown
  readonly model: string | undefined
  /** Absent: the caller did not say, so a rule about headers does not reject. Keys in lower case. */
  readonly headers: Readonly<Record<string, string>> | undefined
  readonly stream: boolean
  /** Item ids that this very connection has given out. */
  readonly issuedIds: ReadonlySet<string>
  /** Also reject what reports disagree on. */
  readonly disputed: boolean
}

export interface Rejection {
  readonly rule: string
  readonly message: string
  /** 400 unless said. */
  readonly status?: number
  readonly param?: string
  readonly code?: string
  readonly type?: string
  /** Where the fault stands, for bodies that carry it apart from the text (Mistral's `detail[].loc`). */
  readonly at?: readonly (string | number)[]
}

export type Check = (request: JudgedRequest) => Rejection | undefined
export type Body = (rejection: Rejection, request: JudgedRequest) => unknown

/** One provider at one endpoint: what it rejects, and the body it says so in. */
export interface EndpointJudge {
  readonly check: Check
  readonly body: Body
}

/** The checks of one endpoint in the order the provider makes them. */
export function inOrder(...checks: readonly Check[]): Check {
  return (request) => {
    for (const check of checks) {
      const rejection = check(request)
      if (rejection) return rejection
    }
    return undefined
  }
}
