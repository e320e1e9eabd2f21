/** Gemini CLI's hardening and ADK's contents: not exported, so the files of the packages are imported. */
import type { Peer } from '../peer.ts'
import { gemini } from '../wires.ts'
import { versionOf } from './versions.ts'

const HARDENING = new URL('../node_modules/@google/gemini-cli-core/dist/src/utils/historyHardening.js', import.meta.url)
const CONTENTS = new URL(
  '../node_modules/@google/adk/dist/esm/agents/processors/content_processor_utils.js',
  import.meta.url,
)

interface Turn {
  readonly id: string
  readonly content: unknown
}

const { hardenHistory } = (await import(HARDENING.href)) as { hardenHistory(turns: Turn[]): Turn[] }
const { getContents } = (await import(CONTENTS.href)) as { getContents(events: unknown[], agent: string): unknown[] }

function eventOf(content: unknown, i: number): unknown {
  const { role } = content as { readonly role: string }
  return {
    id: `e${i}`,
    invocationId: 'i',
    author: role === 'user' ? 'user' : 'agent',
    content,
    timestamp: i,
    actions: {},
  }
}

export const peers: readonly Peer[] = [
  {
    name: 'Gemini CLI hardenHistory',
    version: versionOf('@google/gemini-cli-core'),
    usage: 'hardenHistory(turns)',
    providers: ['gemini'],
    run: (history) => {
      const turns = gemini.to(history).map((content, i) => ({ id: `t${i}`, content }))
      return gemini.from(hardenHistory(turns).map(({ content }) => content))
    },
  },
  {
    name: 'Google ADK getContents',
    version: versionOf('@google/adk'),
    usage: 'getContents(events, agentName)',
    providers: ['gemini'],
    run: (history) => gemini.from(getContents(gemini.to(history).map(eventOf), 'agent')),
  },
]
