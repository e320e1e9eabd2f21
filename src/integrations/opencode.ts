/**
 * `suture/opencode`: a plugin of opencode that replaces the global `fetch`, through which opencode sends its requests,
 * by the guard. opencode has no hook for a request: its hook for messages sees calls and results as one part, before
 * they become a request.
 */
import { type GuardOptions, guard } from '../guard/index.ts'

type OpencodeOptions = Pick<GuardOptions, 'level' | 'signatureMemory' | 'failClosed'>

/** Requests to other addresses than those of a model are passed on untouched. */
export const SuturePlugin = async (_input: unknown, options: OpencodeOptions = {}): Promise<object> => {
  const before = globalThis.fetch
  // Runtimes add functions to fetch (`preconnect`); they stay.
  globalThis.fetch = Object.assign(guard({ ...options, fetch: before }), before)
  return {}
}

export default SuturePlugin
