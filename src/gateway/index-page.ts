/** The page at `/`: what this is and which paths exist. Names upstreams only if no key is needed. */
import { json } from './http/index.ts'
import type { Outgoing } from './types.ts'

export const VERSION = '0.1.0'

const PATHS = {
  upstreams: '/NAME/…',
  sessions: '/suture/v1/sessions',
  openapi: '/suture/openapi.json',
  health: '/suture/health',
  ready: '/suture/ready',
  metrics: '/suture/metrics',
} as const

/** `names`: of the upstreams; empty if a key is needed. */
export function indexPage(names: readonly string[], accept: string): Outgoing {
  const upstreams = names.map((name) => `/${name}/…`)
  if (accept.includes('json')) {
    const paths = { ...PATHS, upstreams: names.length > 0 ? upstreams : PATHS.upstreams }
    return json(200, { name: 'suture', version: VERSION, ...paths })
  }
  const text = `suture ${VERSION}: a gateway that keeps LLM conversations valid.

Set the base URL of a client to this address and the name of an upstream, as in /${names[0] ?? 'NAME'}.

upstreams   ${upstreams.join('  ') || PATHS.upstreams}
sessions    ${PATHS.sessions}
            described in ${PATHS.openapi}
operation   ${PATHS.health}  ${PATHS.ready}  ${PATHS.metrics}
docs        docs/guide/gateway.md in the package
`
  return { status: 200, headers: ['content-type', 'text/plain; charset=utf-8'], body: Buffer.from(text) }
}
