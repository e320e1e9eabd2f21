// Before a publication: the repository in package.json is no placeholder. The registry derives all links of the page from it.
import { readFileSync } from 'node:fs'

const { repository } = JSON.parse(readFileSync('package.json', 'utf8'))
if (repository.includes('OWNER')) {
  console.error(`package.json has "repository": "${repository}". Write the real one there, and run: npm run docs`)
  process.exit(1)
}
