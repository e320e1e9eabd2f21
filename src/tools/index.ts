/**
 * Tools that a model may call: checks arguments and runs a tool with a time limit.
 * Knows no session and no dialect.
 */
import { isObject, wordOf } from '../core/index.ts'
import { type Check, checkOptions, checkValue, type OptionTable, suggest } from '../core/options.ts'
import { type Checked, check, declaredOf, type Schema } from './schema.ts'

export type { Schema, StandardSchema } from './schema.ts'

/** What a tool gets with its arguments. */
export interface CallContext {
  /** The id of the call; if the provider gives none, the tool's name and its place. */
  readonly id: string
  readonly name: string
  /** Aborted when the turn is aborted or the time is up. */
  readonly signal: AbortSignal
  /** Sends a `progress` event of the turn. */
  progress(detail: unknown): void
}

/** A tool. Its return value is the result; an error that it throws becomes a failed result. */
export interface Tool {
  readonly name: string
  readonly description?: string
  /** A JSON Schema or a Standard Schema. Arguments are checked against it before the tool runs. */
  readonly parameters: Schema
  /** The JSON Schema for the model, if `parameters` cannot be converted to one. */
  readonly declared?: object
  /** Time limit in milliseconds. Default: the turn's `toolTimeoutMs`. */
  readonly timeoutMs?: number
  /** Calls must be approved before they run. */
  readonly approval?: boolean | ((input: unknown) => boolean | Promise<boolean>)
  // biome-ignore lint/suspicious/noExplicitAny: each tool knows what its own schema lets through.
  run(input: any, about: CallContext): unknown
}

const isSchema: Check = (value) =>
  isObject(value) || typeof value === 'function' ? undefined : 'a JSON Schema or a Standard Schema'

const TOOL: OptionTable<Tool> = {
  name: 'name',
  description: 'string',
  parameters: isSchema,
  declared: 'object',
  timeoutMs: 'positive',
  approval: (value) => (['boolean', 'function'].includes(typeof value) ? undefined : 'true, false or a function'),
  run: 'function',
}

/** A list of tools. They may have other fields, except names that are nearly those of a known field. */
export const areTools: Check = (value) => {
  if (!Array.isArray(value)) return 'an array of tools'
  for (const tool of value) checkTool(tool)
  return undefined
}

function checkTool(tool: unknown): void {
  checkValue('A tool', tool, 'object', 'Pass { name, description, parameters, run }.')
  const given = tool as Record<string, unknown>
  const of = `the tool "${wordOf(given['name'])}"`
  const known = Object.keys(given).filter((name) => Object.hasOwn(TOOL, name) || suggest(name, Object.keys(TOOL)))
  checkOptions(of, Object.fromEntries(known.map((name) => [name, given[name]])), TOOL)
  checkValue('The name of a tool', given['name'], 'name')
  const empty = "{ type: 'object', properties: {} }"
  checkValue(`The parameters of ${of}`, given['parameters'], isSchema, `For a tool without any pass ${empty}.`)
  checkValue(`The function "run" of ${of}`, given['run'], 'function', 'It gets the arguments and returns the result.')
}

/** The tools as they are declared to the model. */
export function declarations(tools: readonly Tool[]) {
  return tools.map(({ name, description, parameters, declared }) => {
    return { name, description, schema: declaredOf(parameters, declared) }
  })
}

/** The tool with this name and its checked arguments; or the text of a failed result, and why. */
export type Matched =
  | { readonly tool: Tool; readonly input: unknown }
  | { readonly text: string; readonly why: 'no-such-tool' | 'arguments' }

export async function matched(tools: readonly Tool[], name: string, input: unknown): Promise<Matched> {
  const tool = tools.find((one) => one.name === name)
  if (!tool) {
    const known = tools.map((one) => one.name).join(', ') || 'none'
    return { text: `There is no tool "${name}". Known: ${known}.`, why: 'no-such-tool' }
  }
  const checked = await checkedBy(tool, input)
  if ('value' in checked) return { tool, input: checked.value }
  const wrong = checked.wrong.join('; ')
  const text = `${name} was not run because of its arguments. ${wrong}. Correct them and call it again.`
  return { text, why: 'arguments' }
}

async function checkedBy({ parameters }: Tool, input: unknown): Promise<Checked> {
  if (!isObject(input)) return { wrong: ['the arguments: must be a JSON object'] }
  try {
    return await check(parameters, input)
  } catch (error) {
    return { wrong: [`the arguments: could not be checked (${String(error)})`] }
  }
}

/** The result of a run, as text. */
export interface Ran {
  readonly text: string
  readonly why: 'returned' | 'threw'
}

/**
 * Runs a tool once. `first`: its result, or undefined if it was aborted before. `ran`: its result, also if it comes
 * late.
 */
export function start(
  tool: Tool,
  input: unknown,
  about: CallContext,
  timeoutMs: number,
): { readonly first: Promise<Ran | undefined>; readonly ran: Promise<Ran> } {
  const time = new AbortController()
  const late = () => time.abort(new DOMException(`${tool.name} took too long.`, 'TimeoutError'))
  const timer = setTimeout(late, tool.timeoutMs ?? timeoutMs)
  const signal = AbortSignal.any([about.signal, time.signal])
  const stopped = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  const run = async () => textOf(await tool.run(input, { ...about, signal }))
  const ran = run().then(
    (text) => ({ text, why: 'returned' }) as const,
    (error) => ({ text: `${tool.name} failed: ${messageOf(error)}`, why: 'threw' }) as const,
  )
  return { first: Promise.race([ran, stopped]).finally(() => clearTimeout(timer)), ran }
}

/** The return value of a tool as text. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '(no output)' : value
  if (value instanceof Uint8Array) return `(${value.length} bytes)`
  return JSON.stringify(value) ?? '(no output)'
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error)
}
