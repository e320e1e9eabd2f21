/** `suture/gateway`: guard and sessions over HTTP. Set the base URL of any client to it. */

import { GatewayApp } from './app.ts'
import { checkGateway, checkListen } from './check-options.ts'
import { type Listening, type ListenOptions, listen, respond } from './http/index.ts'
import type { GatewayOptions } from './options.ts'

export type { CompactionOutcome, Compactor, NextRequest } from './api.ts'
export { type GatewayErrorCode, gatewayErrors } from './gateway-error.ts'
export { DEFAULT_PORT, type Listening, type ListenOptions } from './http/index.ts'
export type { GatewayOptions, Limits, LogLine } from './options.ts'
export { hashOf, type KeyOptions } from './protection/index.ts'
export { knownUpstreams, type UpstreamOptions } from './upstreams.ts'
export type { Viewer } from './viewer.ts'

/** A gateway: a request handler, and a server if it listens. */
export interface Gateway {
  /** Listens on `node:http`. */
  listen(options?: ListenOptions): Promise<Listening>
  /** The gateway as a web-standard handler. */
  fetch(request: Request): Promise<Response>
  /** The text of `/suture/metrics`. */
  metrics(): string
  /** Closes the connections to upstreams; `Listening.close` does it, too. The caller closes the store. */
  close(): Promise<void>
}

/** Creates a gateway for these upstreams. */
export function gateway(options: GatewayOptions): Gateway {
  checkGateway(options)
  const app = new GatewayApp(options)
  return {
    listen: async (where) => {
      checkListen(where)
      return listen(app, where)
    },
    fetch: (request) => respond(app, request),
    metrics: () => app.metrics.text(),
    close: () => app.close(),
  }
}
