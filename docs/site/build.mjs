/**
 * Builds the documentation site from docs/, the comments of the code and the pages of the repository. A dead link ends
 * the build. Usage: npm run docs:site. The site is written to dist/site.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deadAnchors } from './anchors.mjs'

const folder = fileURLToPath(new URL('.', import.meta.url))
const root = join(folder, '../..')
const pages = join(folder, 'pages')
const site = join(root, 'dist/site')

if (!existsSync(join(folder, 'node_modules/vitepress'))) {
  console.log('Installing the generator: about 150 packages, once.')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const { status } = spawnSync(npm, ['ci', '--ignore-scripts'], { cwd: folder, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
const { writePages } = await import('./pages.mjs')
const { writeApi } = await import('./api.mjs')
const { build } = await import('vitepress')

rmSync(pages, { recursive: true, force: true })
console.log(`${writePages(root, pages)} pages of docs`)
console.log(`${await writeApi(root, join(pages, 'api'))} entry points in the API reference`)
await build(folder)
const dead = deadAnchors(site)
for (const one of dead) console.error(`Dead link: ${one}`)
process.exitCode = dead.length > 0 ? 1 : 0
