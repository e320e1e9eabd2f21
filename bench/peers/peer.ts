/**
 * What the repair table runs: Suture, and peers that get a plain history and give one back.
 */
import { assistant, callsOf, type Plain } from './plain.ts'
import type { Target } from './wires.ts'

export interface Outcome {
  /** As sent to the provider. */
  readonly messages: readonly unknown[]
  readonly plain: readonly Plain[]
  /** Whether the changes were listed, and undone exactly; undefined for a peer that has no such thing. */
  readonly reported?: boolean
  readonly undone?: boolean
  /** Whether a second run changes nothing more, if the subject reports it itself. */
  readonly isSettled?: boolean
}

export interface Peer {
  readonly name: string
  readonly version: string
  /** How it is called, as its own documentation recommends. */
  readonly usage: string
  /** Providers that it can send to; all if absent. */
  readonly providers?: readonly string[]
  /** Whether its types can hold this history; all if absent. */
  holds?(history: readonly Plain[]): boolean
  run(history: readonly Plain[]): readonly Plain[] | Promise<readonly Plain[]>
}

export interface Subject extends Omit<Peer, 'run'> {
  repair(history: readonly unknown[], target: Target, isPending: boolean): Promise<Outcome>
}

/**
 * A peer does not know its target: it is run once, and its answer is written for each provider. Frameworks merge
 * neighbors of one role and leave out empty texts when they write a request, so that is done for all peers here,
 * whether theirs does it or not.
 */
export function subjectOf(peer: Peer): Subject {
  const known = new WeakMap<readonly unknown[], Promise<readonly Plain[]>>()
  return {
    ...peer,
    async repair(history, { wire }) {
      const running = known.get(history) ?? ran(peer, history as readonly Plain[])
      known.set(history, running)
      const plain = await running
      return { messages: wire.to(withoutEmpty(plain), true), plain }
    },
  }
}

/** A copy, since some peers change what they are given. */
async function ran(peer: Peer, history: readonly Plain[]): Promise<readonly Plain[]> {
  return peer.run(structuredClone(history))
}

function withoutEmpty(history: readonly Plain[]): Plain[] {
  return history.flatMap((message): Plain[] => {
    if (message.role === 'tool' || (message.content ?? '').trim() !== '') return [message]
    return callsOf(message).length > 0 ? [assistant(null, callsOf(message))] : []
  })
}

/** What happens without any repair. */
export const none: Peer = {
  name: 'no repair',
  version: '',
  usage: 'the history as it is',
  run: (history) => history,
}
