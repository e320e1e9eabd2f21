/** Globs as regular expressions: `*`, `**`, `?`, `[…]` and `{a,b}`, always with `/` between folders. */

/** The expression that a path below a root must match as a whole. */
export function globToRegExp(glob: string): RegExp {
  return new RegExp(`^${sourceOf(glob)}$`)
}

/** The expression that the path of every folder matches in which the glob can match something. */
export function foldersOfGlob(glob: string): RegExp {
  if (glob.includes('[')) return /^/
  const all = withoutBraces(glob).map((one) => folderSource(one.split('/').slice(0, -1)))
  return new RegExp(`^(?:${all.join('|')})$`)
}

function folderSource([first, ...rest]: readonly string[]): string {
  if (first === undefined) return ''
  if (first.includes('**')) return '.*'
  return rest.length === 0 ? sourceOf(first) : `${sourceOf(first)}(?:/${folderSource(rest)})?`
}

/** `a/{b,c}` as `a/b` and `a/c`. */
function withoutBraces(glob: string): readonly string[] {
  const [all, inside] = /\{([^{}]*)\}/.exec(glob) ?? []
  if (all === undefined || inside === undefined) return [glob]
  return inside.split(',').flatMap((word) => withoutBraces(glob.replace(all, () => word)))
}

/** Has it any sign that is not a plain path? */
export function isGlob(text: string): boolean {
  return /[*?[\]{}]/.test(text)
}

/** The leading folders of a glob that are plain names, and the rest. */
export function splitGlob(glob: string): { readonly base: string; readonly pattern: string } {
  const parts = glob.split('/')
  const first = parts.findIndex(isGlob)
  const at = first < 0 ? parts.length - 1 : Math.min(first, parts.length - 1)
  const base = parts.slice(0, at).join('/')
  return { base: base === '' && glob.startsWith('/') ? '/' : base, pattern: parts.slice(at).join('/') }
}

function sourceOf(glob: string): string {
  let source = ''
  let depth = 0
  for (let i = 0; i < glob.length; i++) {
    const char = glob[i]!
    if (char === '*' && glob[i + 1] === '*') {
      const isFolder = (i === 0 || glob[i - 1] === '/') && glob[i + 2] === '/'
      source += isFolder ? '(?:[^/]+/)*' : '.*'
      i += isFolder ? 2 : 1
    } else if (char === '*') source += '[^/]*'
    else if (char === '?') source += '[^/]'
    else if (char === '[') {
      const end = glob.indexOf(']', i + 2)
      if (end < 0) source += '\\['
      else {
        source += classOf(glob.slice(i + 1, end))
        i = end
      }
    } else if (char === '{' && glob.includes('}', i)) {
      depth++
      source += '(?:'
    } else if (char === '}' && depth > 0) {
      depth--
      source += ')'
    } else if (char === ',' && depth > 0) source += '|'
    else source += escaped(char)
  }
  return source
}

function classOf(text: string): string {
  const isNot = text.startsWith('!') || text.startsWith('^')
  const body = (isNot ? text.slice(1) : text).replace(/[\\\]^]/g, '\\$&')
  return `[${isNot ? '^/' : ''}${body}]`
}

function escaped(char: string): string {
  return /[\\^$.|+()[\]{}]/.test(char) ? `\\${char}` : char
}
