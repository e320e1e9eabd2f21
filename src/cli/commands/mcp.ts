/**
 * `suture mcp`: the commands doctor, explain, show and repair as tools of an MCP server on standard input and output.
 * Limited to the sessions of the current project; prints no conversation text; writes only a plan shown before.
 */
import { type Command, CommandError, type Context, EXIT } from '../command.ts'
import { errorText } from '../error-text.ts'
import { callTool, MessageLines, tools, withPlainError } from '../server/index.ts'

export const mcp: Command = {
  spec: {
    name: 'mcp',
    summary: 'an MCP server for agents: doctor, explain, show, plan_repair, apply_repair.',
    usage: ['suture mcp [--all-projects]'],
    maxFiles: 0,
    examples: [
      ['claude mcp add suture -- npx suture mcp', 'for Claude Code'],
      ['suture mcp --all-projects', 'the sessions of all projects on this machine'],
    ],
    options: { 'all-projects': { type: 'boolean', help: 'sessions of all projects, not only of the current folder' } },
    notes: ['Needs the package @modelcontextprotocol/sdk. A message of a client may have 10 MB.'],
  },
  async run(args, context) {
    const { Server, StdioServerTransport, types } = await sdk()
    const server = new Server({ name: 'suture', version: context.version }, { capabilities: { tools: {} } })
    server.setRequestHandler(types.ListToolsRequestSchema, async () => ({ tools: [...tools] }))
    server.setRequestHandler(types.CallToolRequestSchema, async ({ params }) => {
      const { text, isError } = await answer(params.name, params.arguments ?? {}, args.flag('all-projects'), context)
      return { content: [{ type: 'text' as const, text }], isError }
    })
    const closed = new Promise<void>((resolve) => {
      server.onclose = resolve
      process.stdin.once('end', resolve)
    })
    const lines = new MessageLines((text) => void process.stdout.write(text))
    // The limit is that of a line; the transport's own would end the server.
    const transport = new StdioServerTransport(process.stdin.pipe(lines), process.stdout, { maxBufferSize: Infinity })
    const send = transport.send.bind(transport)
    transport.send = (message) => send(withPlainError(message))
    await server.connect(transport)
    await Promise.race([closed, context.untilStopped()])
    await server.close()
    return EXIT.ok
  },
}

async function answer(name: string, given: Readonly<Record<string, unknown>>, all: boolean, context: Context) {
  try {
    return await callTool(name, given, all, context)
  } catch (error) {
    return { text: errorText(error), isError: true }
  }
}

async function sdk() {
  try {
    const [{ Server }, { StdioServerTransport }, types] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/index.js'),
      import('@modelcontextprotocol/sdk/server/stdio.js'),
      import('@modelcontextprotocol/sdk/types.js'),
    ])
    return { Server, StdioServerTransport, types }
  } catch {
    throw new CommandError(
      'The MCP server needs the package @modelcontextprotocol/sdk: `npm install @modelcontextprotocol/sdk`.',
    )
  }
}
