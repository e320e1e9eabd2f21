/** `suture serve`, keys, the demonstration, MCP. */
export { callTool } from './mcp-call.ts'
export { MessageLines } from './mcp-input.ts'
export { tools } from './mcp-tools.ts'
export { environmentName, type Name, settings } from './settings.ts'
