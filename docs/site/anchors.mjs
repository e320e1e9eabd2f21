/** Links of the built site to a place in a page that has no such place. VitePress itself checks only the pages. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

export function htmlOf(site) {
  return readdirSync(site, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html'))
    .map((name) => name.replaceAll('\\', '/'))
    .sort()
}

export function deadAnchors(site) {
  const texts = new Map(htmlOf(site).map((name) => [name, readFileSync(join(site, name), 'utf8')]))
  const ids = new Map([...texts].map(([name, text]) => [name, new Set(matches(text, /\bid="([^"]+)"/g))]))
  return [...texts].flatMap(([name, text]) =>
    [...new Set(matches(text, /<a\b[^>]*?\bhref="([^"]*#[^"]+)"/g))]
      .filter((link) => !/^[a-z]+:/.test(link) && !hasPlace(ids, name, link))
      .map((link) => `${name}: ${link}`),
  )
}

function hasPlace(ids, from, link) {
  const [path, anchor] = link.split('#')
  const page = path === '' ? from : posix.join(path.startsWith('/') ? '' : posix.dirname(from), path).replace(/^\//, '')
  const file = page.endsWith('/') || page === '' ? `${page}index.html` : page
  return ids.get(file)?.has(decodeURIComponent(anchor)) ?? false
}

function matches(text, pattern) {
  return [...text.matchAll(pattern)].map(([, found]) => found)
}
