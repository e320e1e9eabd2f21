// A tiny agent for the test of the runner: chat completions, one shell tool, and the number of attempts that its third argument says.
import { execSync } from 'node:child_process'

const [prompt, base, attempts] = process.argv.slice(2)
const parameters = { type: 'object', properties: { command: { type: 'string' } } }
const tools = [{ type: 'function', function: { name: 'shell', parameters } }]
const messages = [{ role: 'user', content: prompt }]

async function ask(left) {
  try {
    const body = JSON.stringify({ model: 'gpt-4.1', stream: true, tools, messages })
    const response = await fetch(`${base}/openai/v1/chat/completions`, { method: 'POST', body })
    if (!response.ok) throw new Error(`status ${response.status}`)
    return assemble(await response.text())
  } catch (error) {
    if (left <= 1) throw error
    return ask(left - 1)
  }
}

function assemble(text) {
  const message = { role: 'assistant', content: '' }
  for (const line of text.split('\n').filter((one) => one.startsWith('data: {'))) {
    const { choices, error } = JSON.parse(line.slice(6))
    if (error) throw new Error(error.message)
    const { content, tool_calls: calls = [] } = choices?.[0]?.delta ?? {}
    message.content += content ?? ''
    for (const { index, id, function: called } of calls) {
      message.tool_calls ??= []
      message.tool_calls[index] ??= { id, type: 'function', function: { name: called.name, arguments: '' } }
      message.tool_calls[index].function.arguments += called.arguments ?? ''
    }
  }
  return message
}

for (;;) {
  const message = await ask(Number(attempts))
  messages.push(message)
  if (!message.tool_calls) {
    console.log(message.content)
    break
  }
  for (const { id, function: called } of message.tool_calls) {
    const content = execSync(JSON.parse(called.arguments).command, { encoding: 'utf8' })
    messages.push({ role: 'tool', tool_call_id: id, content })
  }
}
