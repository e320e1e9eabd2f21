import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { groupsOf } from '../sources.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const { description, version } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
const linkOf = (page) => `/${page.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')}`
const groups = groupsOf(root).map(({ text, pages }) => ({
  text,
  collapsed: true,
  items: pages.map(({ page, title }) => ({ text: title, link: linkOf(page) })),
}))
/** As the generated list has them. */
const list = readFileSync(new URL('../pages/api/index.md', import.meta.url), 'utf8')
const entryPoints = [...list.matchAll(/\[(suture[^\]]*)\]\(([^)]+)\.md\)/g)].map(([, text, page]) => ({
  text,
  link: `/api/${page}`,
}))
const api = {
  text: 'API',
  collapsed: true,
  items: [{ text: 'All entry points', link: '/api/' }, ...entryPoints],
}

export default {
  title: 'Suture',
  description,
  srcDir: './pages',
  outDir: '../../dist/site',
  cacheDir: '../../dist/site-cache',
  cleanUrls: false,
  lastUpdated: false,

  themeConfig: {
    nav: [
      { text: 'Guide', link: '/guide/guard' },
      { text: 'Rules', link: '/rules/' },
      { text: 'API', link: '/api/' },
      { text: version, link: '/project/changelog' },
    ],
    sidebar: [...groups, api],
    search: { provider: 'local' },
    outline: [2, 3],
  },
}
