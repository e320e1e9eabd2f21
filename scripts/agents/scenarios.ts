/**
 * What happens to an agent while it works. Each fault strikes once, in the round named.
 */
import type { Ask, Fault } from '../../contract/index.ts'
import type { FaultId } from './types.ts'

export interface Scenario {
  readonly id: FaultId
  readonly title: string
  readonly explain: string
  readonly round?: 1 | 'final'
  faults?(ask: Ask): Fault | readonly Fault[]
  /** Bytes of a large tool result; every request that holds more than a quarter of it is rejected as too long. */
  readonly limited?: number
  readonly kill?: 'tool' | 'stream'
  /** Run with recording, too, by default. */
  readonly recorded?: boolean
}

/** Copilot CLI keeps results of 20 kB and more out of its requests. */
export const LARGE = 18_000
/** Events that come before a cut or an error event: in the middle of the text on every wire. */
const EVENTS = 10

export const scenarios: readonly Scenario[] = [
  {
    id: 'plain',
    recorded: true,
    title: 'plain run',
    explain: 'three rounds of tool calls (the second with two calls), then an answer',
  },
  {
    id: 'cut-text',
    title: 'cut in text',
    explain: 'the connection breaks in the text of the final answer',
    round: 'final',
    faults: (ask) => (ask.stream ? `cut-after-events=${EVENTS}` : 'cut-after-bytes=80'),
  },
  {
    id: 'cut-arguments',
    recorded: true,
    title: 'cut in arguments',
    explain: 'the connection breaks in the arguments of a call of the second round',
    round: 1,
    faults: (ask) => (ask.stream ? 'cut-in-arguments' : 'cut-after-bytes=80'),
  },
  {
    id: 'error-event',
    title: 'error event',
    explain: "the provider's own error event in the text of the final answer",
    round: 'final',
    faults: () => `error-event=${EVENTS}`,
  },
  {
    id: 'rate-limit',
    title: '429',
    explain: '429 with `retry-after: 1`',
    round: 1,
    faults: () => ['status=429', 'retry-after=1'],
  },
  {
    id: 'overloaded',
    title: '529',
    explain: '529 at Anthropic, 503 elsewhere',
    round: 1,
    faults: ({ endpoint }) => (endpoint === 'messages' ? 'status=529' : 'status=503'),
  },
  {
    id: 'overflow',
    title: 'overflow',
    explain: `a tool result of ${LARGE / 1000} kB brings the request over the model's window; every request that holds more than a quarter of it is rejected`,
    limited: LARGE,
  },
  {
    id: 'kill-in-tool',
    recorded: true,
    title: 'kill in a tool, resume',
    explain: '`kill -9` while a shell command of the second round runs, then resume with a second prompt',
    round: 1,
    kill: 'tool',
  },
  {
    id: 'kill-in-stream',
    title: 'kill in a stream, resume',
    explain: '`kill -9` while the answer of the second round streams, then resume with a second prompt',
    round: 1,
    kill: 'stream',
  },
]
