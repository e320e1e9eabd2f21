/**
 * Writes the generated docs: docs/rejections.md, docs/errors, docs/rules/README.md, docs/reference/session-folders.md
 * and the generated parts of each rule's page.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rules } from '../src/rules/index.ts'
import { errorPages } from './docs/error-pages.ts'
import { readRejections } from './docs/rejections.ts'
import { rejectionsPage } from './docs/rejections-page.ts'
import { PAGES_WITH_REPOSITORY, withRepository } from './docs/repository.ts'
import { withGeneratedParts } from './docs/rule-page.ts'
import { rulesIndex } from './docs/rules-index.ts'
import { sessionFolders } from './docs/session-folders.ts'

const root = process.cwd()
const data = readRejections(root)
writeFileSync(join(root, 'docs/rejections.md'), rejectionsPage(data, root))
writeFileSync(join(root, 'docs/rules/README.md'), rulesIndex())
writeFileSync(join(root, 'docs/reference/session-folders.md'), sessionFolders())
mkdirSync(join(root, 'docs/errors'), { recursive: true })
for (const [name, page] of errorPages(data)) writeFileSync(join(root, 'docs/errors', name), page)
for (const { id } of rules) {
  const path = join(root, `docs/rules/${id}.md`)
  writeFileSync(path, withGeneratedParts(readFileSync(path, 'utf8'), id, data, root))
}
const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly repository: string }
for (const page of PAGES_WITH_REPOSITORY) {
  const path = join(root, page)
  writeFileSync(path, withRepository(readFileSync(path, 'utf8'), repository))
}
