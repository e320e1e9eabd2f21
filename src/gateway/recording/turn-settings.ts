/** The settings of a turn: system prompt and tools, and whether two turns have those of one agent. */
import { type Dialect, type JsonObject, jsonText } from '../../core/index.ts'

/** The keys of system prompt and tools, in all dialects. */
const KEYS = ['system', 'instructions', 'systemInstruction', 'system_instruction', 'tools', 'functions', 'toolConfig']

export function settingsOf(body: JsonObject): JsonObject {
  const found = KEYS.filter((key) => body[key] !== undefined && body[key] !== null)
  return Object.fromEntries(found.map((key) => [key, body[key]]))
}

/** What is compared: the text of the system prompt, and the names of the tools. */
export interface AgentTraits {
  readonly system: string
  readonly tools: readonly string[]
}

/** `texts`: system messages of the history. */
export function traitsOf(settings: JsonObject | undefined, texts: readonly string[], dialect: Dialect): AgentTraits {
  const { tools: _tools, functions: _functions, toolConfig: _config, ...system } = settings ?? {}
  const own = Object.values(system).map((value) => (typeof value === 'string' ? value : (jsonText(value) ?? '')))
  const tools = dialect.declaredTools?.(settings ?? {}) ?? []
  return { system: [...own, ...texts].join('\n'), tools: tools.map((name) => name ?? '') }
}

/** The same agent: a system prompt changes with a date or a list of files, tools come and go one by one. */
export function areAlike(one: AgentTraits, other: AgentTraits): boolean {
  const both = one.tools.filter((name) => other.tools.includes(name)).length
  const all = new Set([...one.tools, ...other.tools]).size
  return both * 2 >= all && isSimilar(one.system, other.system)
}

/** One text contains the other, or what both begin and end with is half of the longer one. */
export function isSimilar(one: string, other: string): boolean {
  if (one === '' || other === '') return one === other
  if (one.includes(other) || other.includes(one)) return true
  const [least, most] = [Math.min(one.length, other.length), Math.max(one.length, other.length)]
  let start = 0
  while (start < least && one[start] === other[start]) start++
  let end = 0
  while (end < least - start && one.at(-1 - end) === other.at(-1 - end)) end++
  return (start + end) * 2 >= most
}
