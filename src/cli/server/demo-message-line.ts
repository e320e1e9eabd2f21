/** Prints a message on one line: its role and its parts. Reads only the two formats that the demonstration uses. */

interface Part {
  readonly text?: string
  readonly type?: string
  readonly name?: string
  readonly input?: unknown
  readonly content?: unknown
  readonly functionCall?: { readonly name: string; readonly args?: unknown }
  readonly functionResponse?: { readonly name: string; readonly response: { readonly output?: unknown } }
}

export function messageLine(message: unknown): string {
  const { role, content, parts } = message as { role: string; content?: string | Part[]; parts?: Part[] }
  const list = typeof content === 'string' ? [{ text: content }] : (parts ?? content ?? [])
  return `${role.padEnd(10)}${list.map(partText).join('  ')}`
}

function partText({ text, type, name, input, content, functionCall, functionResponse }: Part): string {
  if (functionCall) return callText(functionCall.name, functionCall.args)
  if (functionResponse) return `[result] ${String(functionResponse.response.output)}`
  if (type === 'tool_use') return callText(name ?? '', input)
  if (type === 'tool_result') return `[result] ${typeof content === 'string' ? content : JSON.stringify(content)}`
  return text ?? ''
}

function callText(name: string, args: unknown): string {
  return `[call] ${name}(${Object.values(args ?? {}).join(', ')})`
}
