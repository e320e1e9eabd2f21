/** Absolute paths of documentation pages in the package that this command runs from. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { installedPage, pageBelowDocs } from '../../guard/rejections/docs-pages.ts'
import type { ErrorExplanation } from '../../guard/rejections/explain.ts'

/** Relative to the bundle in the package and to the source tree, and to the compiled sources. */
const PLACES = ['../../', '../../../', '../../../../']

/** `page`: below `docs`, `rules/RULE.md`, with or without an anchor. */
export function docsPage(page: string): string {
  const [file = '', anchor] = page.split('#')
  const paths = PLACES.map((place) => fileURLToPath(new URL(`${place}docs/${file}`, import.meta.url)))
  const path = paths.find((one) => existsSync(one)) ?? installedPage(file)
  return anchor === undefined ? path : `${path}#${anchor}`
}

/** The explanation with absolute paths of its pages. */
export function withDocsPages<T extends Pick<ErrorExplanation, 'link' | 'texts'>>(explanation: T): T {
  const { link, texts } = explanation
  return { ...explanation, link: docsPage(pageBelowDocs(link)), texts: docsPage(pageBelowDocs(texts)) }
}
