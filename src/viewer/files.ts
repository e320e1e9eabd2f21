/** The built page as files in memory, with headers that isolate it: a strict policy, no other origin, no sniffing. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

type PageMode = 'gateway' | 'demo' | 'view'

export interface PageFile {
  readonly headers: readonly string[]
  readonly body: Uint8Array
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
}

/** Scripts, styles and requests only of this origin; pictures only from the message itself. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; worker-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const COMMON = [
  ['content-security-policy', POLICY],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
].flat()

/** The folder is beside the compiled code in the package, and under `dist` in the source tree. */
function folder(): string | undefined {
  const places = ['../../viewer/', '../../dist/viewer/'].map((path) => fileURLToPath(new URL(path, import.meta.url)))
  return places.find((place) => existsSync(join(place, 'index.html')))
}

/** JSON for the page, with the same headers. */
export function pageData(value: unknown): PageFile {
  const headers = ['content-type', 'application/json', 'cache-control', 'no-store', ...COMMON]
  return { headers, body: Buffer.from(JSON.stringify(value)) }
}

/** All files of the page by name; undefined if the viewer has not been built. */
export function pageFiles(mode: PageMode): ReadonlyMap<string, PageFile> | undefined {
  const root = folder()
  if (root === undefined) return undefined
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'))
  const files = new Map<string, PageFile>()
  for (const name of names) {
    const type = TYPES[name.split('.').at(-1) ?? '']
    if (type === undefined) continue
    const bytes = readFileSync(join(root, name))
    const body = name === 'index.html' ? Buffer.from(withMode(bytes.toString(), mode)) : bytes
    const cache = name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
    files.set(name, { headers: ['content-type', type, 'cache-control', cache, ...COMMON], body })
  }
  return files
}

function withMode(html: string, mode: PageMode): string {
  return html.replace('name="suture-mode" content="static"', `name="suture-mode" content="${mode}"`)
}
