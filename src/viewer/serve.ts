/**
 * The server of `suture view FILE`: the page and one file, on loopback, for the holder of the one-time token. Files are
 * written by the writer in the options, which plans, makes a backup and can undo. Without a writer the page only offers
 * a download.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SutureError } from '../core/index.ts'
import { type PageFile, pageFiles } from './files.ts'

/** The target of the repair, and whether it may remove content that a model could read. */
export interface WriteTarget {
  readonly provider?: string | undefined
  readonly model?: string | undefined
  readonly lossy: boolean
}

/** Writes the file by plan, backup and undo. */
export interface FileWriter {
  /** `lossy`: the number of errors that only a lossy repair would repair. */
  plan(target: WriteTarget): Promise<{ readonly fingerprint: string; readonly message: string; readonly lossy: number }>
  apply(target: WriteTarget, fingerprint: string): Promise<{ readonly message: string }>
  undo(): Promise<{ readonly message: string }>
}

export interface ViewOptions {
  readonly name: string
  /** The file as it is now. */
  readonly read: () => Promise<Uint8Array>
  /** Files that belong to it, by relative path. */
  readonly siblings?: ReadonlyMap<string, Uint8Array> | undefined
  readonly writer?: FileWriter | undefined
  /** Default: any free port. */
  readonly port?: number | undefined
}

export interface Viewing {
  /** With the token in the hash, which a browser does not send. */
  readonly url: string
  close(): Promise<void>
}

const LARGEST_BODY = 64 * 1024
const USED_LINK = 'The link has been used, or belongs to an earlier run. Start `suture view` again.'
const PRIVATE = ['cache-control', 'no-store', 'x-content-type-options', 'nosniff']

/** The server answers with this status and the message. Other errors are answered with 400. */
class Refusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

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
  private readonly files: ReadonlyMap<string, PageFile>

  constructor(options: ViewOptions, files: ReadonlyMap<string, PageFile>) {
    this.options = options
    this.files = files
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.answer(request, response)
    } catch (error) {
      sendJson(response, error instanceof Refusal ? error.status : 400, { error: (error as Error).message })
    }
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (!this.isOwnOrigin(request)) throw new Refusal(403, 'Only the page of this server may send requests.')
    const path = pathname.slice(1)
    if (!path.startsWith('api/')) {
      const { headers, body } = found(this.files.get(path || 'index.html'))
      return void response.writeHead(200, [...headers]).end(body)
    }
    if (path === 'api/claim') return this.claim(request, response)
    if (!this.isKnown(request)) throw new Refusal(401, USED_LINK)
    if (path !== 'api/file') return sendJson(response, 200, await this.api(path.slice(4), request))
    const bytes = await this.bytesOf(searchParams.get('sibling'))
    response.writeHead(200, ['content-type', 'application/octet-stream', ...PRIVATE]).end(bytes)
  }

  /** The token works once. Later requests are authorized by a cookie that only this page sends. */
  private async claim(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { token } = await bodyOf(request)
    if (this.claimed || !isSame(String(token), this.token)) throw new Refusal(401, USED_LINK)
    this.claimed = true
    response.setHeader('set-cookie', `suture-view-${this.port}=${this.cookie}; HttpOnly; SameSite=Strict; Path=/`)
    sendJson(response, 200, {})
  }

  private async bytesOf(sibling: string | null): Promise<Uint8Array> {
    const { read, siblings } = this.options
    return sibling === null ? read() : found(siblings?.get(sibling))
  }

  private async api(name: string, request: IncomingMessage): Promise<object> {
    const { writer, siblings } = this.options
    if (name === 'info')
      return { name: this.options.name, writes: writer !== undefined, siblings: [...(siblings?.keys() ?? [])] }
    if (!writer || request.method !== 'POST') throw new Refusal(404, 'This file is shown only. Download it instead.')
    const { provider, model, lossy, fingerprint } = await bodyOf(request)
    const target = { provider: textIn(provider), model: textIn(model), lossy: lossy === true }
    if (name === 'plan') return writer.plan(target)
    if (name === 'apply') return writer.apply(target, String(fingerprint))
    if (name === 'undo') return writer.undo()
    throw new Refusal(404, 'There is no such path.')
  }

  /** Rejects other names that resolve to this address, and requests of pages of other origins. */
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

function found<T>(file: T | undefined): T {
  if (file === undefined) throw new Refusal(404, 'There is no such file.')
  return file
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

function sendJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, ['content-type', 'application/json', ...PRIVATE]).end(JSON.stringify(value))
}
