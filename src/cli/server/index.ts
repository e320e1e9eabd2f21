/** `suture serve` and `suture mcp`. */
export { callTool } from './mcp-call.ts'
export { MessageLines, withPlainError } from './mcp-input.ts'
export { tools } from './mcp-tools.ts'
export { serveGateway } from './serve.ts'
export { settings, settingsOf } from './settings.ts'
