/** Libraries: a short program runs them, with the base URL in code. They store no session. */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent } from '../types.ts'

interface Library {
  readonly id: string
  readonly folder?: string
  readonly title: string
  readonly packages: readonly string[]
  readonly wire: string
  /** Base URL path and model. */
  readonly args: readonly [string, string, string?]
  readonly program?: string
}

const LIBRARIES: readonly Library[] = [
  {
    id: 'openai-agents',
    title: '@openai/agents',
    packages: ['@openai/agents', 'zod'],
    wire: 'Responses',
    args: ['/openai/v1', 'gpt-5.4', 'responses'],
  },
  {
    id: 'openai-agents-chat',
    folder: 'openai-agents',
    title: '@openai/agents',
    packages: ['@openai/agents', 'zod'],
    wire: 'chat',
    args: ['/openai/v1', 'gpt-4.1', 'chat_completions'],
    program: 'openai-agents',
  },
  {
    id: 'mastra',
    title: '@mastra/core',
    packages: ['@mastra/core', 'zod'],
    wire: 'chat',
    args: ['/openai/v1', 'gpt-4.1'],
  },
  {
    id: 'deepagents',
    title: 'deepagents',
    packages: ['deepagents', '@langchain/openai', '@langchain/core', 'langchain', 'zod'],
    wire: 'chat',
    args: ['/openai/v1', 'gpt-4.1'],
  },
]

function libraryAgent({ id, folder, title, packages, wire, args, program = id }: Library): Agent {
  const file = `${program}.mjs`
  return {
    id,
    ...(folder === undefined ? {} : { folder }),
    title,
    packages,
    wire,
    // Modules resolve packages from the folder they are in.
    prepare: ({ installed }) =>
      copyFileSync(join(process.cwd(), 'scripts/agents/programs', file), join(installed, file)),
    run: (prompt, { installed, base }) => ({
      args: ['node', join(installed, file), prompt, base + args[0], ...args.slice(1).map(String)],
      env: { OPENAI_API_KEY: 'sk-scripted', OPENAI_AGENTS_DISABLE_TRACING: '1', MASTRA_TELEMETRY_DISABLED: '1' },
    }),
    shell: (text) => ({ name: 'shell', arguments: { command: text } }),
    notes: 'no kill and resume: a library without a stored session.',
  }
}

export const libraries = LIBRARIES.map(libraryAgent)
