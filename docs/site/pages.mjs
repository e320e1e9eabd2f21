/** Writes the pages of the site from the files of the repository: links lead to pages, comments are left out. */
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { groupsOf } from './sources.mjs'

const LINK = /(!?)\[((?:[^\][]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g

export function writePages(root, target) {
  const pages = new Map(groupsOf(root).flatMap(({ pages }) => pages.map(({ file, page }) => [file, page])))
  cpSync(join(root, 'docs/images'), join(target, 'images'), { recursive: true })
  const dead = []
  for (const [file, page] of pages) {
    const text = readFileSync(join(root, file), 'utf8')
    const written = outsideCode(text, (prose) => withLinks(prose, { root, file, page, pages, dead }))
    mkdirSync(dirname(join(target, page)), { recursive: true })
    writeFileSync(join(target, page), written)
  }
  if (dead.length > 0) throw new Error(`Dead links:\n${dead.join('\n')}`)
  return pages.size
}

/** Blocks of code stay as they are. The highlighter does not know the notation of histories. */
function outsideCode(text, change) {
  return text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, i) =>
      i % 2 === 1 ? part.replace(/^```history.*/, '```txt') : change(part.replace(/<!--[\s\S]*?-->/g, '')),
    )
    .join('')
}

function withLinks(text, about) {
  return text.replace(LINK, (whole, image, label, link) => {
    if (/^(https?:|mailto:|#)/.test(link)) return whole
    const target = targetOf(link, about)
    return target === undefined ? label : `${image}[${label}](${target})`
  })
}

/** Where a link leads on the site. Undefined: to a file that the site does not have, of which only the name is shown. */
function targetOf(link, { root, file, page, pages, dead }) {
  const [path, anchor] = link.split('#')
  const linked = posix.normalize(posix.join(posix.dirname(file), path)).replace(/\/$/, '')
  if (!existsSync(join(root, linked))) {
    dead.push(`${file}: ${link}`)
    return undefined
  }
  const found = statSync(join(root, linked)).isDirectory() ? `${linked}/README.md` : linked
  const at = pages.get(found) ?? assetAt(found)
  if (at === undefined) return undefined
  const relative = posix.relative(posix.dirname(page), at)
  return `${relative.startsWith('.') ? relative : `./${relative}`}${anchor ? `#${anchor}` : ''}`
}

function assetAt(file) {
  return file.startsWith('docs/images/') ? file.slice('docs/'.length) : undefined
}
