/**
 * Versions and beta features that a request asks for, in headers or in the body, and which of them are known. A new
 * one may change what a valid history is.
 */
import { isObject, type JsonObject } from '../core/index.ts'

const VERSIONS = '2023-01-01 2023-06-01 2026-10-21 bedrock-2023-05-31 vertex-2023-10-16'

/** With a date: only that version of the feature. Without: it changes nothing about a history. */
const BETAS = `
  advanced-tool-use advisor-tool cache-diagnosis claude-code code-execution computer-use context-1m context-management dev-full-thinking effort
  experimental-claude-tag extended-cache-ttl fallback-credit fast-mode files-api fine-grained-tool-streaming interleaved-thinking max-tokens-3-5-sonnet
  message-batches model-context-window-exceeded oauth output-128k output-300k pdfs prompt-caching prompt-caching-scope redact-thinking
  skills structured-outputs task-budgets thinking-display-updates thinking-token-count token-counting token-efficient-tools tool-search-tool
  tool-examples user-profiles web-fetch web-search afk-mode context-hint summarize-connector-text
  messages-2023-12-15 tools-2024-04-04 tools-2024-05-16
  agent-memory-2026-07-22 compact-2026-01-12 compact-2026-09-04 inline-tools-2026-09-15 managed-agents-2026-04-01 mcp-client-2025-04-04
  mcp-client-2025-11-20 mcp-client-2026-09-15 mcp-servers-2025-12-04 mcp-tunnels-2026-06-22 message-threads-2026-08-12
  mid-conversation-output-config-2026-07-01 mid-conversation-system-clear-at-2026-08-21 mid-conversation-tool-changes-2026-07-01
  per-turn-control-2026-07-01 server-side-fallback-2026-06-01 server-side-fallback-2026-07-01 thinking-binding-controls-2026-08-01`

/** Each with its values. Those of OpenAI's header name APIs and transports. */
const known: Readonly<Record<string, ReadonlySet<string>>> = {
  'anthropic-version': new Set(VERSIONS.split(' ')),
  'anthropic-beta': new Set(BETAS.trim().split(/\s+/)),
  'openai-beta': new Set([
    'assistants',
    'responses',
    'responses=experimental',
    'realtime',
    'responses_websockets',
    'chatkit_beta',
  ]),
}

/** Any header of a vendor that names a version or a feature of its API. */
const VERSIONED =
  /^(?:anthropic|openai|google|x-goog|xai|mistral|groq|api|x-api)-(?:\w[\w-]{0,40}-)?(?:version|revision|betas?|features?|preview)$/
/** Clients and platforms that are no version of the API. */
const INERT = /-(?:client|sdk|platform)-/

/** In words. */
export function unknownVersions(headers: Readonly<Record<string, string>>, body: JsonObject): readonly string[] {
  const given = [
    ...Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const),
    ...['anthropic_version', 'anthropic_beta', 'betas'].flatMap((key) =>
      body[key] ? [[key, body[key]] as const] : [],
    ),
  ]
  return given.flatMap(([name, value]) => unknownIn(name, value))
}

function unknownIn(name: string, value: unknown): readonly string[] {
  const table = known[name === 'betas' ? 'anthropic-beta' : name.replace('_', '-')]
  if (!table && (!VERSIONED.test(name) || INERT.test(name))) return []
  const values = (Array.isArray(value) ? value : String(isObject(value) ? '' : value).split(',')).map((one) =>
    String(one).trim(),
  )
  const rest = values.filter((one) => one !== '' && !isKnown(one, table))
  return rest.map((one) => `"${one}" of \`${name}\``)
}

function isKnown(value: string, table: ReadonlySet<string> | undefined): boolean {
  return (
    table !== undefined && (table.has(value) || table.has(value.replace(/[-=](?:v\d+|\d{8}|\d{4}-\d{2}-\d{2})$/, '')))
  )
}
