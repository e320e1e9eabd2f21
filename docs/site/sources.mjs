/** Which page of the site is made from which file of the repository, and in which group of the menu it is. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Groups in the order of the menu. A folder is listed by name; `index` is its first page. */
const GROUPS = [
  { text: 'Start', files: ['README.md', 'CHANGELOG.md', 'docs/security.md'] },
  { text: 'Guide', folder: 'docs/guide' },
  { text: 'Recipes', folder: 'docs/recipes' },
  { text: 'Session files', files: ['docs/session-files.md', 'docs/session-files-formats.md'] },
  { text: 'Rules', folder: 'docs/rules' },
  { text: 'Error texts', folder: 'docs/errors' },
  { text: 'Reference', files: ['docs/rejections.md', 'docs/glossary.md'], folder: 'docs/reference' },
  { text: 'Evidence', files: ['docs/benchmarks.md'], folder: 'docs/evidence' },
  { text: 'Decisions', folder: 'docs/decisions' },
  { text: 'Project', files: ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'] },
]

/** Pages by group: the file in the repository, and the path of its page. */
export function groupsOf(root) {
  return GROUPS.map(({ text, files = [], folder }) => ({
    text,
    pages: [...files, ...(folder ? markdownIn(root, folder) : [])].map((file) => ({
      file,
      page: pageOf(file),
      title: titleOf(readFileSync(join(root, file), 'utf8')),
    })),
  }))
}

function markdownIn(root, folder) {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.md'))
  const first = names.includes('README.md') ? ['README.md'] : []
  return [...first, ...names.filter((name) => name !== 'README.md').sort()].map((name) => `${folder}/${name}`)
}

/** `docs/rules/README.md` is `rules/index.md`; SECURITY.md has the name of a page in docs, so it goes to `project`. */
function pageOf(file) {
  if (file === 'README.md') return 'index.md'
  if (!file.startsWith('docs/')) return `project/${file.toLowerCase()}`
  return file.slice('docs/'.length).replace(/README\.md$/, 'index.md')
}

function titleOf(text) {
  return /^# (.+)$/m.exec(text)[1].replaceAll('`', '')
}
