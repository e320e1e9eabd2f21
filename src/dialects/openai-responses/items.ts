/**
 * The kinds of calls in OpenAI Responses: the key of their arguments, and the type of their output.
 * Only the output of its own kind answers a call.
 */
import { isObject, isSynthetic, type JsonObject, own, type Part, wordOf } from '../../core/index.ts'
import { textOf } from '../blocks.ts'

export interface CallKind {
  readonly call: string
  readonly output: string
  /** The tool's name if the item has no name, because its type identifies it. */
  readonly name?: string
  /** The key of the arguments. */
  readonly args: string
  /** The fields of a call of which only the output is known. */
  readonly bare: JsonObject
}

const kinds: readonly CallKind[] = [
  { call: 'function_call', output: 'function_call_output', args: 'arguments', bare: { arguments: '{}' } },
  { call: 'custom_tool_call', output: 'custom_tool_call_output', args: 'input', bare: { input: '' } },
  {
    call: 'local_shell_call',
    output: 'local_shell_call_output',
    name: 'local_shell',
    args: 'action',
    bare: { action: { type: 'exec', command: [], env: {} }, status: 'completed' },
  },
  {
    call: 'shell_call',
    output: 'shell_call_output',
    name: 'shell',
    args: 'action',
    bare: { action: { commands: [] } },
  },
  {
    call: 'computer_call',
    output: 'computer_call_output',
    name: 'computer',
    args: 'action',
    bare: { action: { type: 'screenshot' }, pending_safety_checks: [], status: 'completed' },
  },
  {
    call: 'apply_patch_call',
    output: 'apply_patch_call_output',
    name: 'apply_patch',
    args: 'operation',
    bare: { operation: { type: 'update_file', path: '', diff: '' }, status: 'completed' },
  },
  {
    call: 'tool_search_call',
    output: 'tool_search_output',
    name: 'tool_search',
    args: 'arguments',
    bare: { arguments: {}, execution: 'client' },
  },
]

const byType = new Map(kinds.flatMap((kind) => [[kind.call, kind] as const, [kind.output, kind] as const]))

/**
 * A white pixel: an output of the computer needs a valid picture (Cloudgeni-ai/opengeni#114: an empty URL is rejected).
 */
const BLANK =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mP4DwABAQEAHLCMmQAAAABJRU5ErkJggg=='

const families = new Map([...byType.keys()].map((type) => [type, type.replace(/(?:_call)?(?:_output)?$/, '')]))

/** The part of the type that a call and its output share. */
export function callFamily(type: string): string {
  return families.get(type) ?? type
}

/** The arguments of a custom tool are any text; a built-in tool has no name beside its type. */
export function callForm(type: string): 'json' | 'text' | 'built-in' {
  if (type.startsWith('custom')) return 'text'
  return type.endsWith('_call') && type !== 'function_call' ? 'built-in' : 'json'
}

export function kindOf(type: string | undefined): CallKind | undefined {
  return type === undefined ? undefined : byType.get(type)
}

/** A tool search that OpenAI ran: the client sends no output for it, and it may have no id. */
export function isServers(item: JsonObject, kind: CallKind): boolean {
  if (kind.name !== 'tool_search' || item['execution'] === 'client') return false
  return item['execution'] === 'server' || typeof item['call_id'] !== 'string'
}

export function outputKey(type: string): string {
  return type === 'tool_search_output' ? 'tools' : 'output'
}

export function answerOf(call: Part, text: string): JsonObject {
  const { output } = kindOf(call.type) ?? kinds[0]!
  const caller = own(call.value, 'caller')
  const most = output === 'shell_call_output' ? own(call.body, 'max_output_length') : undefined
  return {
    type: output,
    [isObject(call.value) && Object.hasOwn(call.value, 'callId') ? 'callId' : 'call_id']: call.id ?? '',
    ...outputOf(output, text),
    ...(isObject(caller) ? { caller } : {}),
    ...(typeof most === 'number' ? { max_output_length: most } : {}),
  }
}

/**
 * A text as the output of this kind, as far as its type allows. It acknowledges no safety check: only the user may.
 * Pictures and lists of tools cannot hold a text: the output is a blank picture or an empty list, marked incomplete.
 */
export function outputOf(output: string, text: string, was?: JsonObject): JsonObject {
  switch (output) {
    case 'shell_call_output':
      return { output: [{ stdout: '', stderr: text, outcome: outcomeOf(was) }] }
    case 'computer_call_output':
      return { output: { type: 'computer_screenshot', image_url: BLANK }, status: 'incomplete' }
    case 'apply_patch_call_output':
      return { status: 'failed', output: text }
    case 'tool_search_output':
      return { execution: 'client', status: 'incomplete', tools: [] }
    default:
      return { output: text }
  }
}

/** The API has exit and timeout only. A timeout claims no exit code. */
function outcomeOf(was: JsonObject | undefined): unknown {
  const chunks = own(was, 'output')
  return (Array.isArray(chunks) ? own(chunks.at(-1), 'outcome') : undefined) ?? { type: 'timeout' }
}

/** A new call of the kind that this output answers. */
export function callFor(result: Part, id: string, name: string): JsonObject {
  const kind = kindOf(result.type) ?? kinds[0]!
  return { type: kind.call, call_id: id, ...(kind.name === undefined ? { name } : {}), ...kind.bare }
}

/** The picture of a screenshot as a block of a user message. */
export function screenshot(output: unknown): readonly unknown[] {
  const url = own(output, 'image_url')
  const file = own(output, 'file_id')
  if (url === BLANK || (!url && !file)) return []
  return [{ type: 'input_image', detail: 'auto', ...(url ? { image_url: url } : { file_id: file }) }]
}

/** The output of a shell, and its outcome unless it succeeded. */
export function chunkText({ stdout, stderr, outcome }: JsonObject): string {
  const printed = [stdout, stderr]
    .map(textOf)
    .filter((text) => text !== '')
    .join('\n')
  if (isSynthetic(printed)) return printed
  const code = own(outcome, 'exit_code')
  const end = own(outcome, 'type') === 'timeout' ? '(timed out)' : code ? `(exit code ${wordOf(code)})` : ''
  return printed && end ? printed + '\n' + end : printed + end
}
