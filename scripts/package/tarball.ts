/** What the tarball has to contain, and what it must not. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const WANTED = [
  'dist/src/index.js',
  'dist/src/index.d.ts',
  'dist/cli/main.js',
  'dist/viewer/index.html',
  'dist/viewer-single/index.html',
  'dist/contract/index.js',
  'docs/rules/tool-result-missing.md',
  'plugins/claude-code/.claude-plugin/plugin.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'llms.txt',
]
const FOREIGN =
  /\.test\.|(^|\/)(node_modules|bench|test|scripts|coverage)\/|\.log$|\.db$|\.map$|^src\/|^dist\/src\/cli\//

export function contentProblems(files: readonly string[]): string[] {
  const all = new Set(files)
  return [
    ...WANTED.filter((file) => !all.has(file)).map((file) => `${file} is missing`),
    ...files.filter((file) => FOREIGN.test(file)).map((file) => `${file} does not belong there`),
  ]
}

/** The viewer that works from disk: no file beside it, nothing from the network. `folder`: the installed package. */
export function singleViewerProblems(folder: string): string[] {
  const page = readFileSync(join(folder, 'dist/viewer-single/index.html'), 'utf8')
  const loads = page.matchAll(/<(?:script|link|img|iframe)\b[^>]*?\b(?:src|href)="([^"]+)"/g)
  const outside = [...loads].map(([, address]) => address!).filter((address) => !/^(?:data:|#)/.test(address))
  return [
    ...outside.map((address) => `dist/viewer-single/index.html loads ${address}`),
    ...(page.includes('<script') ? [] : ['dist/viewer-single/index.html has no script']),
  ]
}
