/**
 * The server of `suture view FILE`: the page and one file, on loopback, for holders of the one-time token. Writing goes
 * through the writer it is given, which plans, makes a backup and can undo; without one the page only offers a
 * download.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SutureError } from '../core/index.ts'
import { pageFiles } from './files.ts'

/** The provider and model of a repair, and whether it may remove content that a model could read. */
export interface WriteTarget {
  readonly provider?: string | undefined
  readonly model?: string | undefined
  readonly lossy: boolean
}

/** Writes the file by plan, backup and undo. */
export interface FileWriter {
  /** `lossy`: how many errors only a repair that removes something would repair. */
  plan(target: WriteTarget): Promise<{ readonly fingerprint: string; readonly says: string; readonly lossy: number }>
  apply(target: WriteTarget, fingerprint: string): Promise<{ readonly says: string }>
  undo(): Promise<{ readonly says: string }>
}

export interface ViewOptions {
  readonly name: string
  /** The file as it is now. */
  readonly read: () => Promise<Uint8Array>
  /** Files that belong to it, by relative path. */
  readonly siblings?: ReadonlyMap<string, Uint8Array> | undefined
  readonly writer?: FileWriter | undefined
  /** Default: a free one. */
  readonly port?: number | undefined
}

export interface Viewing {
  /** With the token in the hash, which a browser does not send. */
  readonly url: string
  close(): Promise<void>
}

const LARGEST_BODY = 64 * 1024

export async function serveView(options: ViewOptions): Promise<Viewing> {
  const files = pageFiles('view')
  if (!files) throw new SutureError('bad-option', 'The viewer has not been built. Run `npm run build:viewer` first.')
  const view = new View(options, files)
  const server = createServer((request, response) => void view.handle(request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  view.port = (server.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${view.port}/#token=${view.token}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

class View {
  readonly token = randomBytes(24).toString('base64url')
  port = 0
  private readonly cookie = randomBytes(24).toString('base64url')
  private claimed = false
  private readonly options: ViewOptions
  private readonly files: NonNullable<ReturnType<typeof pageFiles>>

  constructor(options: ViewOptions, files: NonNullable<ReturnType<typeof pageFiles>>) {
    this.options = options
    this.files = files
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.answer(request, response)
    } catch (error) {
      send(response, 400, { error: (error as Error).message })
    }
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (!this.isOwnOrigin(request))
      return send(response, 403, { error: 'Only the page of this server may send requests.' })
    const path = url.pathname.slice(1)
    if (path === 'api/claim') return this.claim(request, response)
    if (!path.startsWith('api/')) return this.file(path || 'index.html', response)
    if (!this.isKnown(request))
      return send(response, 401, {
        error: 'The link has been used, or belongs to an earlier run. Start `suture view` again.',
      })
    return this.api(path.slice(4), url, request, response)
  }

  private file(name: string, response: ServerResponse): void {
    const found = this.files.get(name)
    if (found) response.writeHead(200, [...found.headers]).end(found.body)
    else send(response, 404, { error: 'There is no such file.' })
  }

  /** The token works once: from then on a cookie that only this page sends. */
  private async claim(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { token } = await bodyOf(request)
    if (this.claimed || !isSame(String(token), this.token))
      return send(response, 401, {
        error: 'The link has been used, or belongs to an earlier run. Start `suture view` again.',
      })
    this.claimed = true
    response.setHeader('set-cookie', `suture-view-${this.port}=${this.cookie}; HttpOnly; SameSite=Strict; Path=/`)
    send(response, 200, {})
  }

  private async api(name: string, url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { writer, siblings, read } = this.options
    if (name === 'info')
      return send(response, 200, {
        name: this.options.name,
        writes: writer !== undefined,
        siblings: [...(siblings?.keys() ?? [])],
      })
    if (name === 'file') {
      const sibling = url.searchParams.get('sibling')
      const bytes = sibling === null ? await read() : siblings?.get(sibling)
      if (!bytes) return send(response, 404, { error: 'There is no such file.' })
      response.writeHead(200, {
        'content-type': 'application/octet-stream',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
      return void response.end(bytes)
    }
    if (!writer || request.method !== 'POST')
      return send(response, 404, { error: 'This file is shown only. Download it instead.' })
    const body = await bodyOf(request)
    const target = {
      provider: textIn(body['provider']),
      model: textIn(body['model']),
      lossy: body['lossy'] === true,
    }
    if (name === 'plan') return send(response, 200, await writer.plan(target))
    if (name === 'apply') return send(response, 200, await writer.apply(target, String(body['fingerprint'])))
    if (name === 'undo') return send(response, 200, await writer.undo())
    return send(response, 404, { error: 'There is no such path.' })
  }

  /** The host must be this address, which keeps out names that resolve to it; and no page of another origin may ask. */
  private isOwnOrigin({ headers, method }: IncomingMessage): boolean {
    const own = `127.0.0.1:${this.port}`
    const site = headers['sec-fetch-site']
    if (headers.host !== own) return false
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
    return headers.origin === undefined ? method === 'GET' || site !== undefined : headers.origin === `http://${own}`
  }

  private isKnown({ headers }: IncomingMessage): boolean {
    const given = new RegExp(`(?:^|; )suture-view-${this.port}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1]
    return given !== undefined && isSame(given, this.cookie)
  }
}

function isSame(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)]
  return one.length === other.length && timingSafeEqual(one, other)
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const piece of request) {
    text += piece
    if (text.length > LARGEST_BODY) throw new Error('The request is too large.')
  }
  const value: unknown = JSON.parse(text || '{}')
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function send(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(JSON.stringify(value))
}
