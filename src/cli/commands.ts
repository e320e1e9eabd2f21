/** The commands by name. Each is loaded on use, so that help and version need no optional package. */
import type { Command } from './command.ts'

type Loader = () => Promise<Command>

export const loaders = {
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  lint: async () => (await import('./commands/lint.ts')).lint,
  repair: async () => (await import('./commands/repair.ts')).repair,
  undo: async () => (await import('./commands/undo.ts')).undo,
  explain: async () => (await import('./commands/explain.ts')).explain,
  show: async () => (await import('./commands/show.ts')).show,
  split: async () => (await import('./commands/split.ts')).split,
  compact: async () => (await import('./commands/compact.ts')).compact,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  sessions: async () => (await import('./commands/sessions.ts')).sessions,
  view: async () => (await import('./commands/view.ts')).view,
  contract: async () => (await import('./commands/contract.ts')).contract,
  completion: async () => (await import('./commands/completion.ts')).completion,
  mcp: async () => (await import('./commands/mcp.ts')).mcp,
  serve: async () => (await import('./commands/serve.ts')).serve,
  key: async () => (await import('./commands/key.ts')).key,
} satisfies Record<string, Loader>

export type CommandName = keyof typeof loaders

export const commandNames = Object.keys(loaders) as CommandName[]
