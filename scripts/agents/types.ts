/**
 * The terms of the agent runs: what an agent needs, which faults strike, and what one run gives.
 */
import type { Reply } from '../../contract/index.ts'

export type ToolCall = NonNullable<Reply['calls']>[number]

/** Where one run takes place. The home is kept between a killed run and its resume. */
export interface Place {
  /** Folder into which npm installed the agent. */
  readonly installed: string
  readonly home: string
  readonly project: string
  /**
   * `http://127.0.0.1:{port}`: the contract or the gateway. Providers are at `/anthropic`, `/openai`, `/gemini`,
   * `/moonshot`.
   */
  readonly base: string
}

export interface Command {
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

export interface Agent {
  /** Name of its folder in the cache. */
  readonly id: string
  readonly title: string
  /** The npm packages to install; the first one names the version. */
  readonly packages: readonly string[]
  /** Two entries with different wires share one install. */
  readonly folder?: string
  readonly wire: string
  /** Writes configuration files below `home` and `project`. */
  prepare?(place: Place): void
  run(prompt: string, place: Place): Command
  /** Absent: the agent has no stored session to resume. */
  resume?(prompt: string, place: Place): Command
  /** The agent's tool that runs a shell command, and one that reads a file. */
  shell(command: string, place: Place): ToolCall
  read?(file: string, place: Place): ToolCall
  /** Contract rejections that are the agent's own known bug, by rule, with the report. */
  readonly ownBugs?: Readonly<Record<string, string>>
  readonly notes?: string
}

export type Way = 'direct' | 'gateway' | 'recorded'

export type FaultId =
  | 'plain'
  | 'cut-text'
  | 'cut-arguments'
  | 'error-event'
  | 'rate-limit'
  | 'overloaded'
  | 'overflow'
  | 'kill-in-tool'
  | 'kill-in-stream'

/** One request as the client sent it, with the head of its answer. */
export interface Exchange {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly status?: number
  readonly answer?: Readonly<Record<string, string>>
}

/** What is wrong with one request, for the list below the table. */
export interface Fact {
  readonly kind: 'changed' | 'false-error' | 'repaired' | 'rejected' | 'gateway-error'
  readonly path: string
  readonly detail: string
}

export type Outcome = 'answered' | 'retried' | 'failed' | 'silent' | 'hung'

/** One run of one agent, as it is stored. */
export interface RunResult {
  readonly agent: string
  readonly version: string
  readonly fault: FaultId
  readonly way: Way
  readonly outcome: Outcome
  readonly exit: string
  readonly seconds: number
  /** Requests to a model endpoint that the client sent. */
  readonly requests: number
  readonly unchanged: number
  readonly struck: boolean
  /** Recorded: how many sessions and branches the requests went to. */
  readonly branches?: number
  readonly facts: readonly Fact[]
}
