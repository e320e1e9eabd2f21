/**
 * Where the documentation is: the package ships it, so that a page fits the installed version and needs no web site.
 */
const DOCS = 'node_modules/suture/docs/'

/** `page`: below `docs`. The path to open in a project that has the package installed. */
export function installedPage(page: string): string {
  return `${DOCS}${page}`
}

/** The page below `docs` that a path of `installedPage` names. */
export function pageBelowDocs(path: string): string {
  return path.slice(DOCS.length)
}
