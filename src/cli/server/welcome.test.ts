import { describe, expect, it } from 'vitest'
import type { GatewayOptions } from '../../gateway/index.ts'
import { welcome } from './welcome.ts'

const URL = 'http://127.0.0.1:1'
const tried = (upstreams: GatewayOptions['upstreams'], more: Partial<GatewayOptions> = {}) =>
  /^try +(.*)$/m.exec(welcome(URL, { upstreams, ...more }))?.[1]

describe('the line "try" names only addresses that work with these upstreams', () => {
  it.each<[string, GatewayOptions['upstreams'], string]>([
    ['OpenAI alone', { openai: { url: 'https://api.openai.com' } }, `OPENAI_BASE_URL=${URL}/openai/v1`],
    ['Anthropic alone', { anthropic: { url: 'https://api.anthropic.com' } }, `ANTHROPIC_BASE_URL=${URL}/anthropic`],
    [
      'under other names',
      { a: { url: 'http://x/v1', provider: 'openai' }, b: { url: 'http://y', provider: 'anthropic' } },
      `OPENAI_BASE_URL=${URL}/a   ANTHROPIC_BASE_URL=${URL}/b`,
    ],
    ['neither', { local: { url: 'http://x/v1' } }, `a client with the base URL ${URL}/local instead of http://x/v1`],
    [
      'a name of a provider for another service',
      { openai: { url: 'http://x', provider: 'vllm' } },
      `a client with the base URL ${URL}/openai instead of http://x`,
    ],
    [
      'an address that the client of Anthropic would give a second version',
      { anthropic: { url: 'http://x/v1' } },
      `a client with the base URL ${URL}/anthropic instead of http://x/v1`,
    ],
  ])('%s', (_name, upstreams, line) => {
    expect(tried(upstreams)).toBe(line)
  })

  it('with a key of this gateway, where it needs one', () => {
    const keys = [{ name: 'a', hash: 'b' }]
    expect(tried({ openai: { url: 'http://x', apiKey: 'k' } }, { keys })).toContain('API key: a key of this gateway')
    const anthropic = { url: 'https://api.anthropic.com' }
    expect(tried({ openai: { url: 'http://x', apiKey: 'k' }, anthropic }, { keys })).not.toContain('ANTHROPIC')
    expect(tried({ anthropic }, { keys })).toContain('header suture-key')
  })
})

it('each upstream has its address and whose key is sent', () => {
  const text = welcome(URL, {
    upstreams: {
      openai: { url: 'https://api.openai.com', apiKey: 'secret' },
      anthropic: { url: 'https://api.anthropic.com' },
      local: { url: 'http://127.0.0.1:8000', provider: 'vllm' },
    },
  })
  expect(text).toMatch(/\/openai → https:\/\/api\.openai\.com {3}key from the environment$/m)
  expect(text).toMatch(/\/anthropic → https:\/\/api\.anthropic\.com {3}the caller's own key$/m)
  expect(text).toMatch(/\/local → http:\/\/127\.0\.0\.1:8000$/m)
  expect(text).not.toContain('secret')
})

it('the viewer is named only if there is one; the emulator is named as an emulator', () => {
  const upstreams = { openai: { url: 'http://x', emulator: true } }
  expect(welcome(URL, { upstreams })).not.toContain('viewer')
  expect(welcome(URL, { upstreams })).toContain('a built-in emulator of the providers')
})
