/**
 * What a model may call: what a tool is, whether arguments fit it, and one run of it within its time.
 * Knows no session and no dialect.
 */
import { isObject } from '../core/index.ts'
import { type Check, checkOptions, checkValue, type OptionTable, suggest } from '../core/options.ts'
import { type Checked, check, declaredOf, type Schema } from './schema.ts'

export type { Schema, StandardSchema } from './schema.ts'

/** What a tool is told beside its arguments. */
export interface About {
  /** The call's own id; where the provider gives none, its name and place. */
  readonly id: string
  readonly name: string
  /** Says when to stop: the turn was aborted, or the time is up. */
  readonly signal: AbortSignal
  /** Tells whoever watches the turn how far it is. */
  progress(detail: unknown): void
}

/** Something the model may call. A value that is returned is the result, an error that is thrown a failed one. */
export interface Tool {
  readonly name: string
  readonly description?: string
  /** A JSON Schema, or anything that follows Standard Schema. Arguments are held against it before the tool runs. */
  readonly parameters: Schema
  /** The JSON Schema to tell the model where `parameters` cannot say it itself. */
  readonly declared?: object
  /** Milliseconds it may take; the turn's `timeout` unless told. */
  readonly timeout?: number
  /** A person must allow the call first. */
  readonly approval?: boolean | ((input: unknown) => boolean | Promise<boolean>)
  // biome-ignore lint/suspicious/noExplicitAny: each tool knows what its own schema lets through.
  run(input: any, about: About): unknown
}

const isSchema: Check = (value) =>
  isObject(value) || typeof value === 'function' ? undefined : 'a JSON Schema or a Standard Schema'

const TOOL: OptionTable<Tool> = {
  name: 'name',
  description: 'string',
  parameters: isSchema,
  declared: 'object',
  timeout: 'positive',
  approval: (value) => (['boolean', 'function'].includes(typeof value) ? undefined : 'true, false or a function'),
  run: 'function',
}

/** A list of tools. They are the caller's own objects and may hold more, but no field that is a known one mistyped. */
export const areTools: Check = (value) => {
  if (!Array.isArray(value)) return 'an array of tools'
  for (const tool of value) checkTool(tool)
  return undefined
}

function checkTool(tool: unknown): void {
  checkValue('A tool', tool, 'object', 'Pass { name, description, parameters, run }.')
  const given = tool as Record<string, unknown>
  const of = `the tool "${String(given['name'])}"`
  const known = Object.keys(given).filter((name) => Object.hasOwn(TOOL, name) || suggest(name, Object.keys(TOOL)))
  checkOptions(of, Object.fromEntries(known.map((name) => [name, given[name]])), TOOL)
  checkValue('The name of a tool', given['name'], 'name')
  const empty = "{ type: 'object', properties: {} }"
  checkValue(`The parameters of ${of}`, given['parameters'], isSchema, `For a tool without any pass ${empty}.`)
  checkValue(`The function "run" of ${of}`, given['run'], 'function', 'It gets the arguments and returns the result.')
}

/** What the model is told of the tools. */
export function declarations(tools: readonly Tool[]) {
  return tools.map(({ name, description, parameters, declared }) => {
    return { name, description, schema: declaredOf(parameters, declared) }
  })
}

/** The tool of this name and its arguments as it gets them; or what to tell the model, and why. */
export type Matched =
  | { readonly tool: Tool; readonly input: unknown }
  | { readonly says: string; readonly why: 'no-such-tool' | 'arguments' }

export async function matched(tools: readonly Tool[], name: string, input: unknown): Promise<Matched> {
  const tool = tools.find((one) => one.name === name)
  if (!tool) {
    const known = tools.map((one) => one.name).join(', ') || 'none'
    return { says: `There is no tool "${name}". There are: ${known}.`, why: 'no-such-tool' }
  }
  const checked = await checkedBy(tool, input)
  if ('value' in checked) return { tool, input: checked.value }
  const wrong = checked.wrong.join('; ')
  const says = `${name} was not run because of its arguments. ${wrong}. Correct them and call it again.`
  return { says, why: 'arguments' }
}

async function checkedBy({ parameters }: Tool, input: unknown): Promise<Checked> {
  if (!isObject(input)) return { wrong: ['the arguments: must be a JSON object'] }
  try {
    return await check(parameters, input)
  } catch (error) {
    return { wrong: [`the arguments: could not be checked (${String(error)})`] }
  }
}

/** What came of a run, as text. */
export interface Ran {
  readonly text: string
  readonly why: 'returned' | 'threw'
}

/** Runs a tool, once. `first` is what it brought, or nothing where it was told to stop before; `ran` is what it brings in the end. */
export function start(
  tool: Tool,
  input: unknown,
  about: About,
  timeout: number,
): { readonly first: Promise<Ran | undefined>; readonly ran: Promise<Ran> } {
  const time = new AbortController()
  const late = () => time.abort(new DOMException(`${tool.name} took too long.`, 'TimeoutError'))
  const timer = setTimeout(late, tool.timeout ?? timeout)
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

/** What a tool returned, as text. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '(no output)' : value
  if (value instanceof Uint8Array) return `(${value.length} bytes)`
  return JSON.stringify(value) ?? '(no output)'
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error)
}
