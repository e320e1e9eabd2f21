/** What `suture serve` prints when it listens: its upstreams, and addresses that work with these upstreams. */
import { type GatewayOptions, knownUpstreams, type UpstreamOptions } from '../../gateway/index.ts'

type Entry = readonly [name: string, upstream: UpstreamOptions]

export function welcome(url: string, { upstreams, store, viewer, keys = [] }: GatewayOptions): string {
  const entries = Object.entries(upstreams)
  const emulated = entries.every(([, { emulator }]) => emulator)
  const rows = emulated ? ['a built-in emulator of the providers; no request leaves this machine'] : entries.map(rowOf)
  // The client's API key is then a key of this gateway, so the gateway needs the provider's own key.
  const usable = keys.length > 0 ? entries.filter((entry) => !needsOwnKey(entry)) : entries
  const key = keys.length > 0 ? '   (API key: a key of this gateway)' : emulated ? '   (any API key works)' : ''
  return [
    `suture      ${url}`,
    `upstreams   ${rows.join('\n            ')}`,
    `sessions    ${store ? store.name : 'none'}`,
    `try         ${usable.length > 0 ? baseUrls(url, usable) + key : 'a client with its own API key, and a key of this gateway as the header suture-key'}`,
    `            curl ${url}/suture/health`,
    ...(viewer ? [`viewer      ${url}/suture/viewer/`] : []),
  ].join('\n')
}

function rowOf(entry: Entry): string {
  const [name, { url, apiKey }] = entry
  const own = needsOwnKey(entry) ? "   the caller's own key" : ''
  return `/${name} → ${url}${apiKey === undefined ? own : '   key from the environment'}`
}

/** Whether the client must send its own key. False for services that are not known. */
function needsOwnKey([name, { provider, apiKey, emulator }]: Entry): boolean {
  return apiKey === undefined && !emulator && Object.hasOwn(knownUpstreams, provider ?? name)
}

/** The variables of the two clients that have one, else the address of the first upstream. */
function baseUrls(url: string, entries: readonly Entry[]): string {
  const find = (wanted: string) => entries.find(([name, { provider }]) => (provider ?? name) === wanted)
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
