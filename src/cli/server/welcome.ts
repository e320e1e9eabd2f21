/**
 * What `suture serve` prints when it listens: its upstreams, and addresses that work with these upstreams.
 */
import { type GatewayOptions, needsCredential, type UpstreamOptions } from '../../gateway/index.ts'

type Entry = readonly [name: string, upstream: UpstreamOptions]

export function welcome(url: string, { upstreams, store, viewer, keys = [] }: GatewayOptions): string {
  const entries = Object.entries(upstreams)
  const emulated = entries.every(([, { emulator }]) => emulator)
  const rows = emulated ? ['a built-in emulator of the providers; no request leaves this machine'] : entries.map(rowOf)
  const key = emulated ? '   (any API key works)' : keys.length > 0 ? '   (API key: a key of this gateway)' : ''
  return [
    `suture      ${url}`,
    `upstreams   ${rows.join('\n            ')}`,
    `sessions    ${store ? store.name : 'none'}`,
    `try         ${baseUrls(url, entries)}${key}`,
    `            curl ${url}/suture/health`,
    ...(viewer ? [`viewer      ${url}/suture/viewer/`] : []),
  ].join('\n')
}

function rowOf([name, upstream]: Entry): string {
  const key = upstream.apiKey !== undefined ? '   key from the environment' : ''
  return `/${name} → ${upstream.url}${needsCredential(name, upstream) ? "   the caller's own key" : key}`
}

/** The variables of the two clients that have one, else the address of the first upstream. */
function baseUrls(url: string, entries: readonly Entry[]): string {
  const find = (wanted: string) => entries.find(([name, { provider = name }]) => provider === wanted)
  const [openai, anthropic] = [find('openai'), find('anthropic')]
  const found = [
    ...(openai ? [`OPENAI_BASE_URL=${url}/${openai[0]}${hasVersion(openai) ? '' : '/v1'}`] : []),
    ...(anthropic && !hasVersion(anthropic) ? [`ANTHROPIC_BASE_URL=${url}/${anthropic[0]}`] : []),
  ]
  if (found.length > 0) return found.join('   ')
  const [name, { url: address }] = entries[0]!
  return `a client with the base URL ${url}/${name} instead of ${address}`
}

/** OpenAI's clients expect the version in the base URL, Anthropic's add it. */
function hasVersion([, { url }]: Entry): boolean {
  return /\/v1\/?$/.test(new URL(url).pathname)
}
