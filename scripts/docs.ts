/** Writes the generated docs: docs/rejections.md, docs/rules/README.md and the generated parts of each rule's page. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rules } from '../src/rules/index.ts'
import { readRejections } from './docs/rejections.ts'
import { rejectionsPage } from './docs/rejections-page.ts'
import { PAGES_WITH_REPOSITORY, withRepository } from './docs/repository.ts'
import { withGeneratedParts } from './docs/rule-page.ts'
import { rulesIndex } from './docs/rules-index.ts'

const root = process.cwd()
const data = readRejections(root)
writeFileSync(join(root, 'docs/rejections.md'), rejectionsPage(data, root))
writeFileSync(join(root, 'docs/rules/README.md'), rulesIndex())
for (const { id } of rules) {
  const path = join(root, `docs/rules/${id}.md`)
  writeFileSync(path, withGeneratedParts(readFileSync(path, 'utf8'), id, data, root))
}
const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly repository: string }
for (const page of PAGES_WITH_REPOSITORY) {
  const path = join(root, page)
  writeFileSync(path, withRepository(readFileSync(path, 'utf8'), repository))
}
